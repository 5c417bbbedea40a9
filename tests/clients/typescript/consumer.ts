// A merchant's program in TypeScript. It is compiled, not run.
import { Code, NoAnswer, Orderdesk, Refused, verifyCallback } from "orderdesk-client";

const client = new Orderdesk("https://api.example.com/v1", "mk_1", "sk_1", { test: true, timeoutSeconds: 5 });

export async function buy(): Promise<string> {
  try {
    const order = await client.createBuy("A-1", "100.50", { method_type: "bank" });
    // @ts-expect-error: a misspelt field
    order.pay_ulr;
    // @ts-expect-error: no such status
    if (order.status === "complete") return "";
    return order.result_status === "success" ? order.pay_url : order.identity_url;
  } catch (error) {
    if (error instanceof Refused && error.code === Code.NO_TRADER_AVAILABLE) return error.requestId;
    if (error instanceof NoAnswer && error.afterLostAttempt) return "unknown";
    throw error;
  }
}

export async function last(): Promise<string> {
  let balance = "0.000000";
  for await (const posting of client.postings({ is_test: 1 })) balance = posting.balance;
  return balance;
}

export async function receive(request: Request): Promise<string> {
  const event = verifyCallback("whsec_", request.headers, new Uint8Array(await request.arrayBuffer()));
  return event.data.order_no ?? event.type;
}

void client.advanceOrder("completed", { order_no: "B1" });
// @ts-expect-error: a callback is named by its id
void client.redeliverCallback({ webhook_id: "msg_1" });
// @ts-expect-error: an amount is text
void client.createBuy("A-2", 100.5);
// @ts-expect-error: a misspelt parameter
void client.createBuy("A-2", "100.50", { callbackurl: "https://shop.example/" });
// @ts-expect-error: an order is found by a number
void client.queryOrder({ number: "A-1" });
// @ts-expect-error: the body is raw
verifyCallback("whsec_", {}, { type: "order.paid" });
