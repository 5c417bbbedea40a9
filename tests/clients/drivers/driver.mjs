// Runs the requests of standard input with the client and prints the answers, both as JSON.
import { readFileSync } from "node:fs";
import * as orderdesk from "./orderdesk.mjs";

const METHODS = {
  create_buy: "createBuy",
  create_or_get: "createOrGet",
  create_sell: "createSell",
  list_events: "listEvents",
  list_withdrawals: "listWithdrawals",
  query_order: "queryOrder",
  list_orders: "listOrders",
  cancel_order: "cancelOrder",
  dispute_order: "disputeOrder",
  list_callbacks: "listCallbacks",
  redeliver_callback: "redeliverCallback",
  advance_order: "advanceOrder",
};

async function call(request) {
  const { base_url, api_key, api_secret, test, timeout_seconds: timeoutSeconds } = request;
  const client = new orderdesk.Orderdesk(base_url, api_key, api_secret, { test, timeoutSeconds });
  const method = METHODS[request.method] ?? request.method;
  try {
    return { data: await client[method](...request.arguments.map((each) => JSON.parse(each))) };
  } catch (error) {
    if (error instanceof orderdesk.NoAnswer) return { no_answer: true, after_lost_attempt: error.afterLostAttempt };
    if (!(error instanceof orderdesk.Refused)) throw error;
    const refused = {
      code: error.code,
      error: error.message,
      text: error.text,
      data: error.data,
      http_status: error.httpStatus,
      request_id: error.requestId,
      retry_after_seconds: error.retryAfterSeconds ?? 0,
      after_lost_attempt: error.afterLostAttempt,
    };
    return { refused };
  }
}

function sign(request) {
  const text = orderdesk.stringToSign(request.path, JSON.parse(request.body));
  return { string_to_sign: text, signature: orderdesk.sign(request.api_secret, text) };
}

function verify(request) {
  const headers = request.of_framework ? new Headers(request.headers) : request.headers;
  try {
    return { event: orderdesk.verifyCallback(request.secret, headers, Buffer.from(request.body)) };
  } catch (error) {
    if (!(error instanceof orderdesk.InvalidCallback)) throw error;
    return { invalid: error.message };
  }
}

const answers = [];
for (const request of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    answers.push(await { call, sign, verify }[request.do](request));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    answers.push({ error: error.message });
  }
}
console.log(JSON.stringify(answers));
