/** The error codes of Refused.code. */
export declare const Code: Readonly<{
    INVALID_BODY: 1001;
    INVALID_PARAMETER: 1002;
    AMOUNT_OUT_OF_RANGE: 1003;
    UNKNOWN_API_KEY: 1101;
    BAD_SIGNATURE: 1102;
    TIMESTAMP_OUT_OF_WINDOW: 1103;
    NONCE_REUSED: 1104;
    IP_NOT_ALLOWED: 1105;
    MERCHANT_SUSPENDED: 1106;
    NOT_ALLOWED_BY_KEY: 1107;
    TOO_MANY_REQUESTS: 1201;
    MERCHANT_ORDER_NO_EXISTS: 2001;
    ORDER_NOT_FOUND: 2002;
    STATE_CONFLICT: 2003;
    NO_TRADER_AVAILABLE: 2101;
    INSUFFICIENT_BALANCE: 2102;
    RATE_UNAVAILABLE: 2103;
    OPEN_LIMIT_REACHED: 2104;
    OPEN_SELL_LIMIT_REACHED: 2105;
    REFUSED_BY_DESK: 2106;
    IDENTITY_VERIFICATION_FAILED: 2201;
    IDENTITY_PROVIDER_UNAVAILABLE: 2202;
    UNKNOWN_ROUTE: 4000;
    INTERNAL_ERROR: 5000;
    TRY_AGAIN: 5001;
}>;
export type Data = {
    [name: string]: any;
};
export type FetchHeaders = {
    get(name: string): string | null;
};
export type PaymentMethod = import("./types.mjs").PaymentMethod;
export type BuyOptions = import("./types.mjs").BuyOptions;
export type SellOptions = import("./types.mjs").SellOptions;
export type OrderNumber = import("./types.mjs").OrderNumber;
export type AnyNumber = import("./types.mjs").AnyNumber;
export type OrderFilters = import("./types.mjs").OrderFilters;
export type StatementFilters = import("./types.mjs").StatementFilters;
export type CallbackFilters = import("./types.mjs").CallbackFilters;
export type EventFilters = import("./types.mjs").EventFilters;
export type WithdrawalFilters = import("./types.mjs").WithdrawalFilters;
export type QuoteOptions = import("./types.mjs").QuoteOptions;
export type CreatedBuy = import("./types.mjs").CreatedBuy;
export type CreatedSell = import("./types.mjs").CreatedSell;
export type Order = import("./types.mjs").Order;
export type OrderOrDraft = import("./types.mjs").OrderOrDraft;
export type OrderPage = import("./types.mjs").OrderPage;
export type Balances = import("./types.mjs").Balances;
export type Posting = import("./types.mjs").Posting;
export type StatementPage = import("./types.mjs").StatementPage;
export type Delivery = import("./types.mjs").Delivery;
export type CallbackPage = import("./types.mjs").CallbackPage;
export type ListedEvent = import("./types.mjs").ListedEvent;
export type EventPage = import("./types.mjs").EventPage;
export type WithdrawalPage = import("./types.mjs").WithdrawalPage;
export type Quote = import("./types.mjs").Quote;
export type Agreement = import("./types.mjs").Agreement;
export type CallbackEvent = import("./types.mjs").Event;
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
export declare class OrderdeskError extends Error {
    /** Whether an earlier attempt of this call got no clear response; the service may have executed it. */
    afterLostAttempt: boolean;
}
/** No attempt got a response. The service may have executed the call: query the order. */
export declare class NoAnswer extends OrderdeskError {
    name: string;
}
/** The service refused the call; `data` has the details of `code`. */
export declare class Refused extends OrderdeskError {
    code: number;
    text: string;
    data: Data;
    httpStatus: number;
    requestId: string;
    retryAfterSeconds: number | null;
    name: string;
    /**
     * @param {number} code @param {string} text @param {Data} data
     * @param {{ status: number, headers: FetchHeaders }} response
     */
    constructor(code: number, text: string, data: Data, response: {
        status: number;
        headers: FetchHeaders;
    });
}
/** The callback is not signed with this secret, or its timestamp is too old or too new. */
export declare class InvalidCallback extends Error {
    name: string;
}
/** The merchant API. A call returns the response's `data`, or throws Refused or NoAnswer after up to 4 attempts. */
export declare class Orderdesk {
    #private;
    /**
     * @param {string} baseUrl
     * @param {string} apiKey
     * @param {string} apiSecret
     * @param {{ test?: boolean, timeoutSeconds?: number }} options
     *     `test`: create test orders. `timeoutSeconds`: for each attempt.
     */
    constructor(baseUrl: string, apiKey: string, apiSecret: string, { test, timeoutSeconds }?: {
        test?: boolean;
        timeoutSeconds?: number;
    });
    /**
     * Create a buy; by `result_status`, the response has `pay_url` or `identity_url`.
     * @param {string} merchantOrderNo @param {string} cnyAmount @param {BuyOptions} more
     * @returns {Promise<CreatedBuy>}
     */
    createBuy(merchantOrderNo: string, cnyAmount: string, more?: BuyOptions): Promise<CreatedBuy>;
    /**
     * Create a buy, or return the first one of this number if it is the same, as it is now: see `status`.
     * @param {string} merchantOrderNo @param {string} cnyAmount @param {BuyOptions} more
     * @returns {Promise<CreatedBuy>}
     */
    createOrGet(merchantOrderNo: string, cnyAmount: string, more?: BuyOptions): Promise<CreatedBuy>;
    /**
     * Create a sell that is paid to the customer's payment method.
     * @param {string} merchantOrderNo @param {string} cnyAmount
     * @param {PaymentMethod} paymentMethod @param {SellOptions} more @returns {Promise<CreatedSell>}
     */
    createSell(merchantOrderNo: string, cnyAmount: string, paymentMethod: PaymentMethod, more?: SellOptions): Promise<CreatedSell>;
    /** Return an order or draft. @param {AnyNumber} number @returns {Promise<OrderOrDraft>} */
    queryOrder(number: AnyNumber): Promise<OrderOrDraft>;
    /**
     * Return a page of `orders`, newest first; pass its `cursor` for the next page.
     * @param {OrderFilters} filters @returns {Promise<OrderPage>}
     */
    listOrders(filters?: OrderFilters): Promise<OrderPage>;
    /** Yield the orders of all pages, newest first. @param {OrderFilters} filters @returns {AsyncGenerator<Order>} */
    orders(filters?: OrderFilters): AsyncGenerator<Order>;
    /** Cancel a pending buy or a matching sell. @param {OrderNumber} number @returns {Promise<Order>} */
    cancelOrder(number: OrderNumber): Promise<Order>;
    /**
     * Dispute a paid buy that is not confirmed within 30 minutes.
     * @param {OrderNumber} number @returns {Promise<Order>}
     */
    disputeOrder(number: OrderNumber): Promise<Order>;
    /** Return available, held and deposit USDT for `live` and `test`. @returns {Promise<Balances>} */
    balance(): Promise<Balances>;
    /**
     * Return a page of postings, oldest first; pass its `cursor` for the next page.
     * @param {StatementFilters} filters @returns {Promise<StatementPage>}
     */
    statement(filters?: StatementFilters): Promise<StatementPage>;
    /**
     * Yield the postings of all pages, oldest first.
     * @param {StatementFilters} filters @returns {AsyncGenerator<Posting>}
     */
    postings(filters?: StatementFilters): AsyncGenerator<Posting>;
    /**
     * Return a page of `callbacks` with their attempts, newest first, of one order or all.
     * @param {CallbackFilters} filters @returns {Promise<CallbackPage>}
     */
    listCallbacks(filters?: CallbackFilters): Promise<CallbackPage>;
    /**
     * Yield the callbacks of all pages, newest first.
     * @param {CallbackFilters} filters @returns {AsyncGenerator<Delivery>}
     */
    callbacks(filters?: CallbackFilters): AsyncGenerator<Delivery>;
    /**
     * Return a page of `events`, the bodies of callbacks, newest first.
     * @param {EventFilters} filters @returns {Promise<EventPage>}
     */
    listEvents(filters?: EventFilters): Promise<EventPage>;
    /** Yield the events of all pages. @param {EventFilters} filters @returns {AsyncGenerator<ListedEvent>} */
    events(filters?: EventFilters): AsyncGenerator<ListedEvent>;
    /** Return a page of `withdrawals`. @param {WithdrawalFilters} filters @returns {Promise<WithdrawalPage>} */
    listWithdrawals(filters?: WithdrawalFilters): Promise<WithdrawalPage>;
    /**
     * Return the amounts of an order (1 = buy, 2 = sell) that is not created.
     * @param {1 | 2} orderType @param {string} cnyAmount @param {QuoteOptions} more @returns {Promise<Quote>}
     */
    quote(orderType: 1 | 2, cnyAmount: string, more?: QuoteOptions): Promise<Quote>;
    /** Return the merchant's terms, and what is open of its limits. @returns {Promise<Agreement>} */
    agreement(): Promise<Agreement>;
    /**
     * Send a callback again, with the same id; `endpointId` is that of a further address.
     * @param {string} webhookId @param {string} endpointId @returns {Promise<Delivery>}
     */
    redeliverCallback(webhookId: string, endpointId?: string): Promise<Delivery>;
    /**
     * Queue a test event for the endpoint in `callback_url`, or for the default address.
     * @param {{ callback_url?: string }} parameters @returns {Promise<Delivery>}
     */
    testCallback(parameters?: {
        callback_url?: string;
    }): Promise<Delivery>;
    /**
     * Move a test order or draft to a status, as its payer, its trader, an operator or the clock.
     * @param {string} to @param {AnyNumber} number @returns {Promise<OrderOrDraft>}
     */
    advanceOrder(to: string, number: AnyNumber): Promise<OrderOrDraft>;
    /**
     * Call any route. Each attempt is signed again, because a nonce is accepted only once.
     * @param {string} path @param {Data} parameters @returns {Promise<any>}
     */
    call(path: string, parameters: Data): Promise<any>;
}
/**
 * Return the string to sign. `path` begins at /merchant or /test, after the base URL.
 * @param {string} path @param {Data} parameters
 */
export declare function stringToSign(path: string, parameters: Data): string;
/** Return the signature of a string to sign. @param {string} apiSecret @param {string} text */
export declare function sign(apiSecret: string, text: string): string;
/**
 * Return canonical JSON (RFC 8785); throws TypeError for a fraction, which would change amounts.
 * @param {any} value @returns {string}
 */
export declare function canonicalJson(value: any): string;
/**
 * Return the event of an authentic, fresh callback; throws InvalidCallback: respond with 400.
 * @param {string} callbackSecret
 * @param {FetchHeaders | { [name: string]: string | string[] | undefined }} headers
 *     Node's `request.headers`, or those of a Fetch `Request`
 * @param {string | Uint8Array} body the raw request body
 * @returns {CallbackEvent}
 */
export declare function verifyCallback(callbackSecret: string, headers: FetchHeaders | {
    [name: string]: string | string[] | undefined;
}, body: string | Uint8Array): CallbackEvent;
