// @ts-check
// SPDX-License-Identifier: Apache-2.0
/**
 * orderdesk's merchant API: signed calls and verified callbacks. It needs only Node 18 or newer, or a
 * runtime with fetch and Node's modules below.
 *
 *     const client = new Orderdesk("https://api.example.com/v1", "mk_…", "sk_…");
 *     const order = await client.createBuy("A-1001", "1000.00");
 *     console.log(order.pay_url);
 *
 * Amounts are strings ("1000.00") in requests and responses. Do not convert them to numbers.
 */
import { Buffer } from "node:buffer";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

const ATTEMPTS_MAX = 4;
const WAIT_SECONDS_MAX = 10;
const CALLBACK_TOLERANCE_SECONDS = 300;
const CALLBACK_SECRET = /^(whsec_)?([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const BASE_URL = /^https?:\/\/([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(\/[A-Za-z0-9._~%/-]*)?$/;

/** The error codes of Refused.code. */
export const Code = Object.freeze({
  INVALID_BODY: 1001,
  INVALID_PARAMETER: 1002,
  AMOUNT_OUT_OF_RANGE: 1003,
  UNKNOWN_API_KEY: 1101,
  BAD_SIGNATURE: 1102,
  TIMESTAMP_OUT_OF_WINDOW: 1103,
  NONCE_REUSED: 1104,
  IP_NOT_ALLOWED: 1105,
  MERCHANT_SUSPENDED: 1106,
  NOT_ALLOWED_BY_KEY: 1107,
  TOO_MANY_REQUESTS: 1201,
  MERCHANT_ORDER_NO_EXISTS: 2001,
  ORDER_NOT_FOUND: 2002,
  STATE_CONFLICT: 2003,
  NO_TRADER_AVAILABLE: 2101,
  INSUFFICIENT_BALANCE: 2102,
  RATE_UNAVAILABLE: 2103,
  OPEN_LIMIT_REACHED: 2104,
  OPEN_SELL_LIMIT_REACHED: 2105,
  REFUSED_BY_DESK: 2106,
  IDENTITY_VERIFICATION_FAILED: 2201,
  IDENTITY_PROVIDER_UNAVAILABLE: 2202,
  UNKNOWN_ROUTE: 4000,
  INTERNAL_ERROR: 5000,
  TRY_AGAIN: 5001,
});

/** Retried. @type {number[]} */
const RETRIED = [Code.TOO_MANY_REQUESTS, Code.INTERNAL_ERROR, Code.TRY_AGAIN];
/** After these codes, the service may or may not have executed the call. @type {number[]} */
const UNSURE = [Code.INTERNAL_ERROR, Code.TRY_AGAIN];
/** The fields of `data` that the text of Refused shows. */
const SHOWN = ["status", "min_cny", "max_cny", "limit"];

/** @typedef {{ [name: string]: any }} Data */
/** @typedef {{ get(name: string): string | null }} FetchHeaders */
/** @typedef {import("./types.mjs").PaymentMethod} PaymentMethod */
/** @typedef {import("./types.mjs").BuyOptions} BuyOptions */
/** @typedef {import("./types.mjs").SellOptions} SellOptions */
/** @typedef {import("./types.mjs").OrderNumber} OrderNumber */
/** @typedef {import("./types.mjs").AnyNumber} AnyNumber */
/** @typedef {import("./types.mjs").OrderFilters} OrderFilters */
/** @typedef {import("./types.mjs").StatementFilters} StatementFilters */
/** @typedef {import("./types.mjs").CallbackFilters} CallbackFilters */
/** @typedef {import("./types.mjs").EventFilters} EventFilters */
/** @typedef {import("./types.mjs").WithdrawalFilters} WithdrawalFilters */
/** @typedef {import("./types.mjs").QuoteOptions} QuoteOptions */
/** @typedef {import("./types.mjs").CreatedBuy} CreatedBuy */
/** @typedef {import("./types.mjs").CreatedSell} CreatedSell */
/** @typedef {import("./types.mjs").Order} Order */
/** @typedef {import("./types.mjs").OrderOrDraft} OrderOrDraft */
/** @typedef {import("./types.mjs").OrderPage} OrderPage */
/** @typedef {import("./types.mjs").Balances} Balances */
/** @typedef {import("./types.mjs").Posting} Posting */
/** @typedef {import("./types.mjs").StatementPage} StatementPage */
/** @typedef {import("./types.mjs").Delivery} Delivery */
/** @typedef {import("./types.mjs").CallbackPage} CallbackPage */
/** @typedef {import("./types.mjs").ListedEvent} ListedEvent */
/** @typedef {import("./types.mjs").EventPage} EventPage */
/** @typedef {import("./types.mjs").WithdrawalPage} WithdrawalPage */
/** @typedef {import("./types.mjs").Quote} Quote */
/** @typedef {import("./types.mjs").Agreement} Agreement */
/** @typedef {import("./types.mjs").Event} CallbackEvent */

export class OrderdeskError extends Error {
  /** Whether an earlier attempt of this call got no clear response; the service may have executed it. */
  afterLostAttempt = false;
}

/** No attempt got a response. The service may have executed the call: query the order. */
export class NoAnswer extends OrderdeskError {
  name = "NoAnswer";
}

/** The service refused the call; `data` has the details of `code`. */
export class Refused extends OrderdeskError {
  name = "Refused";

  /**
   * @param {number} code @param {string} text @param {Data} data
   * @param {{ status: number, headers: FetchHeaders }} response
   */
  constructor(code, text, data, response) {
    // This text is often logged, so it omits most of `data`, which may have names and card numbers.
    const shown = SHOWN.filter((name) => name in data).map((name) => `, ${name} ${data[name]}`);
    super(`${code} ${text}: ${JSON.stringify(data.fields ?? data.reason)}${shown.join("")}`);
    this.code = code;
    this.text = text;
    this.data = data;
    this.httpStatus = response.status;
    this.requestId = response.headers.get("x-request-id") ?? "";
    const after = response.headers.get("retry-after") ?? "";
    this.retryAfterSeconds = /^\d+$/.test(after) ? Number(after) : null;
  }
}

/** The callback is not signed with this secret, or its timestamp is too old or too new. */
export class InvalidCallback extends Error {
  name = "InvalidCallback";
}

/** The merchant API. A call returns the response's `data`, or throws Refused or NoAnswer after up to 4 attempts. */
export class Orderdesk {
  #baseUrl;
  #apiKey;
  #apiSecret;
  #createPath;
  #timeoutSeconds;

  /**
   * @param {string} baseUrl
   * @param {string} apiKey
   * @param {string} apiSecret
   * @param {{ test?: boolean, timeoutSeconds?: number }} options
   *     `test`: create test orders. `timeoutSeconds`: for each attempt.
   */
  constructor(baseUrl, apiKey, apiSecret, { test = false, timeoutSeconds = 10 } = {}) {
    if (!BASE_URL.test(baseUrl)) throw new TypeError(`baseUrl: "${baseUrl}" is not an http or https URL`);
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#apiKey = apiKey;
    this.#apiSecret = apiSecret;
    this.#createPath = test ? "/test/createOrder" : "/merchant/createOrder";
    this.#timeoutSeconds = timeoutSeconds;
  }

  /**
   * Create a buy; by `result_status`, the response has `pay_url` or `identity_url`.
   * @param {string} merchantOrderNo @param {string} cnyAmount @param {BuyOptions} more
   * @returns {Promise<CreatedBuy>}
   */
  async createBuy(merchantOrderNo, cnyAmount, more = {}) {
    return withKind(await this.#create(1, merchantOrderNo, cnyAmount, more));
  }

  /**
   * Create a buy, or return the first one of this number if it is the same, as it is now: see `status`.
   * @param {string} merchantOrderNo @param {string} cnyAmount @param {BuyOptions} more
   * @returns {Promise<CreatedBuy>}
   */
  async createOrGet(merchantOrderNo, cnyAmount, more = {}) {
    try {
      return await this.createBuy(merchantOrderNo, cnyAmount, more);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== Code.MERCHANT_ORDER_NO_EXISTS) throw error;
      if (!error.data.same) throw error;
    }
    return withKind(await this.queryOrder({ merchant_order_no: merchantOrderNo }));
  }

  /**
   * Create a sell that is paid to the customer's payment method.
   * @param {string} merchantOrderNo @param {string} cnyAmount
   * @param {PaymentMethod} paymentMethod @param {SellOptions} more @returns {Promise<CreatedSell>}
   */
  createSell(merchantOrderNo, cnyAmount, paymentMethod, more = {}) {
    return this.#create(2, merchantOrderNo, cnyAmount, { ...more, payment_method: paymentMethod });
  }

  /** Return an order or draft. @param {AnyNumber} number @returns {Promise<OrderOrDraft>} */
  queryOrder(number) {
    return this.call("/merchant/queryOrder", number);
  }

  /**
   * Return a page of `orders`, newest first; pass its `cursor` for the next page.
   * @param {OrderFilters} filters @returns {Promise<OrderPage>}
   */
  listOrders(filters = {}) {
    return this.call("/merchant/listOrders", filters);
  }

  /** Yield the orders of all pages, newest first. @param {OrderFilters} filters @returns {AsyncGenerator<Order>} */
  orders(filters = {}) {
    return this.#rows("/merchant/listOrders", "orders", filters);
  }

  /** Cancel a pending buy or a matching sell. @param {OrderNumber} number @returns {Promise<Order>} */
  cancelOrder(number) {
    return this.call("/merchant/cancelOrder", number);
  }

  /**
   * Dispute a paid buy that is not confirmed within 30 minutes.
   * @param {OrderNumber} number @returns {Promise<Order>}
   */
  disputeOrder(number) {
    return this.call("/merchant/disputeOrder", number);
  }

  /** Return available, held and deposit USDT for `live` and `test`. @returns {Promise<Balances>} */
  balance() {
    return this.call("/merchant/balance", {});
  }

  /**
   * Return a page of postings, oldest first; pass its `cursor` for the next page.
   * @param {StatementFilters} filters @returns {Promise<StatementPage>}
   */
  statement(filters = {}) {
    return this.call("/merchant/statement", filters);
  }

  /**
   * Yield the postings of all pages, oldest first.
   * @param {StatementFilters} filters @returns {AsyncGenerator<Posting>}
   */
  postings(filters = {}) {
    return this.#rows("/merchant/statement", "postings", filters);
  }

  /**
   * Return a page of `callbacks` with their attempts, newest first, of one order or all.
   * @param {CallbackFilters} filters @returns {Promise<CallbackPage>}
   */
  listCallbacks(filters = {}) {
    return this.call("/merchant/listCallbacks", filters);
  }

  /**
   * Yield the callbacks of all pages, newest first.
   * @param {CallbackFilters} filters @returns {AsyncGenerator<Delivery>}
   */
  callbacks(filters = {}) {
    return this.#rows("/merchant/listCallbacks", "callbacks", filters);
  }

  /**
   * Return a page of `events`, the bodies of callbacks, newest first.
   * @param {EventFilters} filters @returns {Promise<EventPage>}
   */
  listEvents(filters = {}) {
    return this.call("/merchant/listEvents", filters);
  }

  /** Yield the events of all pages. @param {EventFilters} filters @returns {AsyncGenerator<ListedEvent>} */
  events(filters = {}) {
    return this.#rows("/merchant/listEvents", "events", filters);
  }

  /** Return a page of `withdrawals`. @param {WithdrawalFilters} filters @returns {Promise<WithdrawalPage>} */
  listWithdrawals(filters = {}) {
    return this.call("/merchant/listWithdrawals", filters);
  }

  /**
   * Return the amounts of an order (1 = buy, 2 = sell) that is not created.
   * @param {1 | 2} orderType @param {string} cnyAmount @param {QuoteOptions} more @returns {Promise<Quote>}
   */
  quote(orderType, cnyAmount, more = {}) {
    return this.call("/merchant/quote", { ...more, order_type: orderType, cny_amount: cnyAmount });
  }

  /** Return the merchant's terms, and what is open of its limits. @returns {Promise<Agreement>} */
  agreement() {
    return this.call("/merchant/agreement", {});
  }

  /**
   * Send a callback again, with the same id; `endpointId` is that of a further address.
   * @param {string} webhookId @param {string} endpointId @returns {Promise<Delivery>}
   */
  redeliverCallback(webhookId, endpointId = "") {
    return this.call("/merchant/redeliverCallback", { webhook_id: webhookId, endpoint_id: endpointId });
  }

  /**
   * Queue a test event for the endpoint in `callback_url`, or for the default address.
   * @param {{ callback_url?: string }} parameters @returns {Promise<Delivery>}
   */
  testCallback(parameters = {}) {
    return this.call("/merchant/testCallback", parameters);
  }

  /**
   * Move a test order or draft to a status, as its payer, its trader, an operator or the clock.
   * @param {string} to @param {AnyNumber} number @returns {Promise<OrderOrDraft>}
   */
  advanceOrder(to, number) {
    return this.call("/test/advanceOrder", { ...number, to });
  }

  /**
   * Call any route. Each attempt is signed again, because a nonce is accepted only once.
   * @param {string} path @param {Data} parameters @returns {Promise<any>}
   */
  async call(path, parameters) {
    let lost = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(path, parameters);
      } catch (error) {
        if (!(error instanceof NoAnswer || error instanceof Refused)) throw error;
        error.afterLostAttempt = lost;
        const waitSeconds = secondsBeforeRetry(error, attempt);
        if (attempt === ATTEMPTS_MAX || waitSeconds === null) throw error;
        lost ||= error instanceof NoAnswer || UNSURE.includes(error.code);
        await pause(waitSeconds * 1000);
      }
    }
  }

  /** @param {string} path @param {string} name @param {Data} filters @returns {AsyncGenerator<any>} */
  async *#rows(path, name, filters) {
    for (let page = filters; page.cursor !== null; ) {
      page = await this.call(path, { ...filters, cursor: page.cursor });
      yield* page[name];
    }
  }

  /**
   * @param {number} orderType @param {string} merchantOrderNo @param {string} cnyAmount @param {Data} more
   * @returns {Promise<any>}
   */
  async #create(orderType, merchantOrderNo, cnyAmount, more) {
    if (!merchantOrderNo) {
      throw new TypeError("merchantOrderNo: without it a retry could create a second order");
    }
    const named = { merchant_order_no: merchantOrderNo, cny_amount: cnyAmount };
    try {
      return await this.call(this.#createPath, { ...more, ...named, order_type: orderType });
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== Code.MERCHANT_ORDER_NO_EXISTS) throw error;
      if (!error.afterLostAttempt || error.data.same === false) throw error;
    }
    // The earlier attempt created the order.
    return this.call("/merchant/queryOrder", { merchant_order_no: merchantOrderNo });
  }

  /** @param {string} path @param {Data} parameters @returns {Promise<Data>} */
  async #attempt(path, parameters) {
    const timestamp = Math.floor(Date.now() / 1000);
    const common = { api_key: this.#apiKey, timestamp, nonce: randomBytes(16).toString("hex") };
    /** @type {Data} */
    const signed = { ...common };
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined && value !== null && value !== "") signed[name] ??= value;
    }
    signed.signature = sign(this.#apiSecret, stringToSign(path, signed));
    const request = {
      method: "POST",
      headers: { "Content-Type": "application/json", "User-Agent": "orderdesk-node/1" },
      body: canonicalJson(signed),
      redirect: /** @type {const} */ ("manual"),
      signal: AbortSignal.timeout(this.#timeoutSeconds * 1000),
    };
    let response;
    let envelope;
    try {
      response = await fetch(this.#baseUrl + path, request);
      envelope = await response.json().catch(() => null);
    } catch (error) {
      throw new NoAnswer(`${path}: ${error}`, { cause: error });
    }
    if (!Number.isInteger(envelope?.code)) {
      const text = `${path}: the answer (HTTP ${response.status}) is not orderdesk's`;
      // A gateway refused it; the service never saw it.
      if (response.status >= 400 && response.status < 500) throw new Refused(0, text, {}, response);
      throw new NoAnswer(text);
    }
    if (envelope.code !== 1) {
      throw new Refused(envelope.code, envelope.msg, envelope.data ?? {}, response);
    }
    return envelope.data ?? {};
  }
}

/**
 * Return the string to sign. `path` begins at /merchant or /test, after the base URL.
 * @param {string} path @param {Data} parameters
 */
export function stringToSign(path, parameters) {
  const lines = [`POST ${path}`];
  for (const name of Object.keys(parameters).sort()) {
    const value = parameters[name];
    if (name === "signature" || value === undefined || value === null || value === "") continue;
    lines.push(`${name}=${typeof value === "string" ? value : canonicalJson(value)}`);
  }
  return lines.join("\n");
}

/** Return the signature of a string to sign. @param {string} apiSecret @param {string} text */
export function sign(apiSecret, text) {
  return createHmac("sha256", apiSecret).update(text, "utf8").digest("hex");
}

/**
 * Return canonical JSON (RFC 8785); throws TypeError for a fraction, which would change amounts.
 * @param {any} value @returns {string}
 */
export function canonicalJson(value) {
  if (value === null || typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object") {
    // sort() compares UTF-16 code units, as RFC 8785 requires.
    const names = Object.keys(value).filter((name) => value[name] !== undefined).sort();
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(",")}}`;
  }
  throw new TypeError(`${value} cannot be sent; write amounts as text: "100.50"`);
}

/**
 * Return the event of an authentic, fresh callback; throws InvalidCallback: respond with 400.
 * @param {string} callbackSecret
 * @param {FetchHeaders | { [name: string]: string | string[] | undefined }} headers
 *     Node's `request.headers`, or those of a Fetch `Request`
 * @param {string | Uint8Array} body the raw request body
 * @returns {CallbackEvent}
 */
export function verifyCallback(callbackSecret, headers, body) {
  const given = /** @type {any} */ (headers);
  /** @param {string} name */
  const header = (name) => String((typeof given.get === "function" ? given.get(name) : given[name]) ?? "");
  const timestamp = header("webhook-timestamp");
  if (!CALLBACK_SECRET.test(callbackSecret)) throw new InvalidCallback("the secret is not whsec_ and base64");
  const key = Buffer.from(callbackSecret.replace(/^whsec_/, ""), "base64");
  const hmac = createHmac("sha256", key).update(`${header("webhook-id")}.${timestamp}.`).update(body);
  const wanted = Buffer.from(`v1,${hmac.digest("base64")}`);
  // During a rotation of the secret there are two signatures; one matches this secret.
  const signatures = header("webhook-signature").split(" ").map((each) => Buffer.from(each));
  if (!signatures.some((each) => each.length === wanted.length && timingSafeEqual(each, wanted))) {
    throw new InvalidCallback("no signature matches this secret");
  }
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= CALLBACK_TOLERANCE_SECONDS)) {
    throw new InvalidCallback("the timestamp differs too much from this machine's clock");
  }
  return JSON.parse(Buffer.from(body).toString("utf8"));
}

/** Return queryOrder's response as createBuy's. @param {any} found @returns {CreatedBuy} */
function withKind(found) {
  return { result_status: "order_no" in found ? "success" : "pending_identity", ...found };
}

/**
 * Return the pause before the next attempt; null without a further attempt.
 * @param {NoAnswer | Refused} error @param {number} attempt
 */
function secondsBeforeRetry(error, attempt) {
  if (error instanceof Refused) {
    if (!RETRIED.includes(error.code)) return null;
    const after = error.retryAfterSeconds;
    if (after !== null) return after <= WAIT_SECONDS_MAX ? after : null;
  }
  return 0.1 * 2 ** attempt * (0.5 + Math.random() / 2);
}
