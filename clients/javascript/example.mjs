// Create a buy and a sell in test mode: node example.mjs, with the keys in the environment.
import { Code, NoAnswer, Orderdesk, Refused } from "orderdesk-client";

const { ORDERDESK_BASE_URL = "", ORDERDESK_API_KEY = "", ORDERDESK_API_SECRET = "" } = process.env;
// Without `test`, orders are live.
const client = new Orderdesk(ORDERDESK_BASE_URL, ORDERDESK_API_KEY, ORDERDESK_API_SECRET, { test: true });
// The URL of your receiver of callbacks, if you have one.
const callbacks = { callback_url: process.env.ORDERDESK_CALLBACK_URL };
const number = `example-node-${Date.now()}`; // your own number of the order

const terms = await client.agreement();
console.log("agreement", terms.min_cny, "to", terms.max_cny, "CNY");
const quote = await client.quote(1, "100.00", { method_type: "bank" }); // of a buy; stores nothing
console.log("quote", quote.merchant_actual_amount, "USDT, a trader fits:", quote.would_match);

try {
  const metadata = { cart: "77" }; // comes back in answers and callbacks
  const buy = await client.createBuy(`${number}-1`, "100.00", { method_type: "bank", metadata, ...callbacks });
  if (buy.result_status === "success") console.log("buy", buy.order_no, "pay at", buy.pay_url);
  else console.log("draft", buy.pending_no, "verify at", buy.identity_url);
} catch (error) {
  if (error instanceof Refused && error.code === Code.NO_TRADER_AVAILABLE) {
    console.log("no trader is available: offer another way to pay");
  } else if (error instanceof NoAnswer) {
    console.log("result unknown: query the order later by merchant_order_no");
  } else throw error;
  process.exit(1);
}

try {
  await client.createBuy(`${number}-1`, "100.00");
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.log("again", error.code, error.data.order_no);
}

const order = await client.queryOrder({ merchant_order_no: `${number}-1` });
console.log("query", order.order_no, order.status, order.merchant_actual_amount, "USDT");
const done = await client.advanceOrder("completed", { order_no: order.order_no }); // acts as the trader
console.log("advance", done.status);
const same = await client.createOrGet(`${number}-1`, "100.00", { method_type: "bank" });
if (same.result_status === "success") console.log("same", same.order_no, same.status); // the first one, as it is now
console.log("balance", (await client.balance()).test.available);

const sell = await client.createSell(
  `${number}-2`,
  "50.00",
  {
    method_type: "bank",
    real_name: "张三",
    bank: "中国银行",
    sub_bank: "深圳分行",
    card_number: "6200000000000000017",
  },
  { refund_of: order.order_no, ...callbacks }, // of a completed buy, up to what it may still refund
);
console.log("sell", sell.order_no, sell.status, sell.merchant_actual_amount, "USDT");
console.log("cancel", (await client.cancelOrder({ merchant_order_no: `${number}-2` })).status);

const page = await client.listOrders({ is_test: 1, limit: 2 });
console.log("list", page.orders.map((each) => each.merchant_order_no).join(" "));
const sent = (await client.listCallbacks({ order_no: order.order_no })).callbacks;
console.log("callbacks", sent.map((each) => `${each.type} ${each.status}`).join(", "));
const { events } = await client.listEvents({ order_no: order.order_no }); // without an address, too
console.log("events", events.map((each) => `${each.type} ${each.event_id}`).join(", "));
console.log("statement", (await client.statement({ is_test: 1, limit: 10 })).postings.length, "postings");
