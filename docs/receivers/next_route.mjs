// app/callbacks/route.js
import { InvalidCallback, verifyCallback } from "orderdesk-client";
import { handle } from "../../shop.mjs";

export const runtime = "nodejs"; // the edge runtime has no node:crypto

export async function POST(request) {
  const body = Buffer.from(await request.arrayBuffer()); // not request.json()
  let event;
  try {
    event = verifyCallback(process.env.ORDERDESK_CALLBACK_SECRET, request.headers, body);
  } catch (error) {
    if (!(error instanceof InvalidCallback)) throw error;
    return new Response(null, { status: 400 });
  }
  await handle(request.headers.get("webhook-id"), event);
  return new Response(null, { status: 204 });
}
