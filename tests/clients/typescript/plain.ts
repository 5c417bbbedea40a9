// Compiled without the types of Node and of browsers, and for the module resolution of old compilers.
import { Orderdesk, Refused, verifyCallback } from "orderdesk-client";

const client = new Orderdesk("https://api.example.com/v1", "mk_1", "sk_1");

export async function payUrl(): Promise<string> {
  const buy = await client.createOrGet("A-1", "100.50");
  if (buy.result_status === "pending_identity") return buy.identity_url;
  const order = await client.queryOrder({ merchant_order_no: "A-1" });
  if (order.order_type === 2) return order.customer_payment_method.real_name;
  // @ts-expect-error: a draft has no pay_url
  const url: string = order.pay_url;
  return order.order_type === 1 ? order.pay_url : (url ?? order.pending_no);
}

export function about(headers: { [name: string]: string }, body: Uint8Array): string | number {
  const event = verifyCallback("whsec_", headers, body);
  switch (event.type) {
    case "draft.locked":
      return event.data.pending_no;
    case "account.notice":
      return event.data.by;
    case "endpoint.test":
      return event.data.is_test;
    case "order.paid":
      return event.data.usdt_amount;
    // @ts-expect-error: no such type
    case "order.payed":
      return "";
    default:
      return event.type;
  }
}

export const status = (error: Refused): number => error.httpStatus;
