// Compare the test account's statement with its balance; exit 1 if they differ.
import { Orderdesk } from "orderdesk-client";

const { ORDERDESK_BASE_URL = "", ORDERDESK_API_KEY = "", ORDERDESK_API_SECRET = "" } = process.env;
const client = new Orderdesk(ORDERDESK_BASE_URL, ORDERDESK_API_KEY, ORDERDESK_API_SECRET);
const micro = (/** @type {string} */ usdt) => BigInt(usdt.replace(".", "")); // USDT has 6 decimals
let last = 0n;
for await (const posting of client.postings({ is_test: 1, limit: 100 })) {
  if (posting.account === "available") last = micro(posting.balance);
}
const { available, held } = (await client.balance()).test;
const total = micro(available) + micro(held); // a hold has no posting
console.log("statement", last, "balance", total, "micro USDT");
process.exitCode = last === total ? 0 : 1;
