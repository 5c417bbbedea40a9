// A merchant's program in TypeScript. It is compiled, not run.
import { Code, NoAnswer, Orderdesk, Refused, verifyCallback } from "../../../clients/javascript/orderdesk.mjs";

const client = new Orderdesk("https://api.example.com/v1", "mk_1", "sk_1", { test: true, timeoutSeconds: 5 });

export async function buy(): Promise<string> {
  try {
    const order = await client.createBuy("A-1", "100.50", { method_type: "bank" });
    return order.pay_url;
  } catch (error) {
    if (error instanceof Refused && error.code === Code.NO_TRADER_AVAILABLE) return error.requestId;
    if (error instanceof NoAnswer && error.afterLostAttempt) return "unknown";
    throw error;
  }
}

void client.advanceOrder("completed", { order_no: "B1" });
// @ts-expect-error: a callback is named by its id
void client.redeliverCallback({ webhook_id: "msg_1" });
// @ts-expect-error: an amount is text
void client.createBuy("A-2", 100.5);
// @ts-expect-error: an order is found by a number
void client.queryOrder({ number: "A-1" });
// @ts-expect-error: the body is raw
verifyCallback("whsec_", {}, { type: "order.paid" });
