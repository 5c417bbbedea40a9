// --8<-- [start:call]
import { createHmac, randomBytes } from "node:crypto";

const BASE_URL = "http://localhost:4566/…"; // the base URL you were given
const API_KEY = "mk_…", API_SECRET = "sk_…";

// Keys sorted, no spaces, nothing but strings inside. Send amounts as strings: 100.50 would become 100.5.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((k) => `${JSON.stringify(k)}:${canonical(value[k])}`).join(",")}}`;
}

const signedText = (value) => (typeof value === "object" ? canonical(value) : String(value));

export function sign(secret, path, params) {
  const names = Object.keys(params).sort().filter((n) => n !== "signature" && params[n] !== null && params[n] !== "");
  const text = [`POST ${path}`, ...names.map((n) => `${n}=${signedText(params[n])}`)].join("\n");
  return createHmac("sha256", secret).update(text).digest("hex");
}

export async function call(path, own) {
  const common = { api_key: API_KEY, timestamp: Math.floor(Date.now() / 1000), nonce: randomBytes(12).toString("hex") };
  const params = { ...own, ...common };
  const body = JSON.stringify({ ...params, signature: sign(API_SECRET, path, params) });
  const answer = await fetch(BASE_URL + path, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  return answer.json(); // a refusal is an answer too
}
// --8<-- [end:call]

// --8<-- [start:order]
if (process.argv[1] === import.meta.filename) {
  console.log(await call("/test/createOrder", { order_type: 1, cny_amount: "1000.00", merchant_order_no: "first-1" }));
}
// --8<-- [end:order]

// --8<-- [start:verify]
import { timingSafeEqual } from "node:crypto";

// Gives the event of a callback, or null. `headers` have lower-case names, `body` is the text as it came.
export function verified(secret, headers, body) {
  const sent = headers["webhook-timestamp"];
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const mac = createHmac("sha256", key).update(`${headers["webhook-id"]}.${sent}.${body}`).digest("base64");
  const own = Buffer.from(`v1,${mac}`);
  const given = headers["webhook-signature"].split(" ").map((each) => Buffer.from(each)); // two while a secret rotates
  const fresh = Math.abs(Date.now() / 1000 - Number(sent)) <= 300;
  const matches = given.some((each) => each.length === own.length && timingSafeEqual(own, each));
  return fresh && matches ? JSON.parse(body) : null;
}
// --8<-- [end:verify]
