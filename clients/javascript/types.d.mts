// SPDX-License-Identifier: Apache-2.0
// Written by `make openapi` from docs/openapi.yaml.

export type OrderStatus =
  | "pending"
  | "paid"
  | "matching"
  | "assigned"
  | "completed"
  | "cancelled"
  | "expired"
  | "disputed";

export type DraftStatus =
  | "held"
  | "locked"
  | "expired"
  | "completed";

export type CallbackType =
  | "order.created"
  | "order.paid"
  | "order.assigned"
  | "order.completed"
  | "order.cancelled"
  | "order.expired"
  | "order.disputed"
  | "order.reversed"
  | "draft.locked"
  | "draft.expired"
  | "endpoint.test"
  | "endpoint.disabled"
  | "account.notice";

export type DeliveryStatus =
  | "pending"
  | "delivered"
  | "undeliverable"
  | "gone"
  | "dead"
  | "skipped"
  | "failed";

export type OrderEventType =
  | "order.created"
  | "order.paid"
  | "order.assigned"
  | "order.completed"
  | "order.cancelled"
  | "order.expired"
  | "order.disputed"
  | "order.reversed";

/** A customer's method: the fields of a bank account, or those of a wallet. */
export interface PaymentMethod {
  method_type?: "bank" | "wechat" | "alipay";
  real_name: string;
  bank?: string;
  sub_bank?: string;
  card_number?: string;
  account?: string;
  qr_code?: string;
}

/** The optional parameters of a buy. */
export interface BuyOptions {
  callback_url?: string;
  remark?: string;
  return_url?: string;
  is_test?: 0 | 1;
  method_type?: "bank" | "wechat" | "alipay";
  max_discount?: string;
  customer_name?: string;
  id_card?: string;
  mobile?: string;
  metadata?: Record<string, string>;
}

/** The optional parameters of a sell. */
export interface SellOptions {
  callback_url?: string;
  remark?: string;
  return_url?: string;
  is_test?: 0 | 1;
  refund_of?: string;
  customer_name?: string;
  id_card?: string;
  mobile?: string;
  metadata?: Record<string, string>;
}

/** The number of an order: one of the fields. */
export interface OrderNumber {
  merchant_order_no?: string;
  order_no?: string;
}

/** The number of an order or a draft: one of the fields. */
export interface AnyNumber {
  merchant_order_no?: string;
  order_no?: string;
  pending_no?: string;
}

/** The filters of a list of orders. */
export interface OrderFilters {
  status?: string;
  order_type?: 1 | 2;
  is_test?: 0 | 1;
  start_time?: number;
  end_time?: number;
  merchant_order_no?: string;
  cny_amount?: string;
  metadata_key?: string;
  metadata_value?: string;
  limit?: number;
  cursor?: string;
}

/** The filters of a statement. */
export interface StatementFilters {
  is_test?: 0 | 1;
  start_time?: number;
  end_time?: number;
  order_no?: string;
  kind?: "funding" | "settlement" | "withdrawal" | "release" | "reversal";
  limit?: number;
  cursor?: string;
}

/** The filters of a list of callbacks. */
export interface CallbackFilters {
  merchant_order_no?: string;
  order_no?: string;
  pending_no?: string;
  type?: string;
  start_time?: number;
  end_time?: number;
  limit?: number;
  cursor?: string;
  status?: string;
}

/** The filters of a list of events. */
export interface EventFilters {
  merchant_order_no?: string;
  order_no?: string;
  type?: string;
  start_time?: number;
  end_time?: number;
  limit?: number;
  cursor?: string;
}

/** The filters of a list of withdrawals. */
export interface WithdrawalFilters {
  is_test?: 0 | 1;
  limit?: number;
  cursor?: string;
}

/** The optional parameters of a quote. */
export interface QuoteOptions {
  method_type?: "bank" | "wechat" | "alipay";
  is_test?: 0 | 1;
}

/** The account to which the payer of a buy sends the money. */
export interface TraderMethod {
  method_type: "bank" | "wechat" | "alipay";
  bank: string;
  sub_bank: string;
  card_number: string;
  account: string;
  qr_code: string;
  real_name: string;
}

/** The account to which a sell is paid. */
export interface CustomerMethod {
  method_type: "bank" | "wechat" | "alipay";
  bank: string;
  sub_bank: string;
  card_number: string;
  account: string;
  qr_code: string;
  real_name: string;
  full_info: string;
}

/** A change of an order's status. */
export interface TimelineEntry {
  status: OrderStatus;
  time: number;
  by: "payer" | "merchant" | "trader" | "operator" | "clock";
}

/** A sell that refunds a buy. */
export interface Refund {
  order_no: string;
  cny_amount: string;
}

/** A buy. Its customer pays at `pay_url`. */
export interface MatchedBuy {
  result_status: "success";
  order_no: string;
  merchant_order_no: string | null;
  status: OrderStatus;
  order_type: 1;
  cny_amount: string;
  rate: string;
  payment_method: TraderMethod;
  merchant_amount: string;
  deposit_amount: string;
  service_amount: string;
  merchant_actual_amount: string;
  createtime: number;
  pay_url: string;
  requested_cny_amount?: string;
  ignored?: string[];
  pending_no?: undefined;
  identity_url?: undefined;
  expire_time?: undefined;
}

/** A draft. Its customer verifies the identity at `identity_url`. */
export interface HeldDraft {
  result_status: "pending_identity";
  pending_no: string;
  identity_url: string;
  expire_time: number;
  ignored?: string[];
  order_no?: undefined;
  merchant_order_no?: undefined;
  status?: undefined;
  order_type?: undefined;
  cny_amount?: undefined;
  rate?: undefined;
  payment_method?: undefined;
  merchant_amount?: undefined;
  deposit_amount?: undefined;
  service_amount?: undefined;
  merchant_actual_amount?: undefined;
  createtime?: undefined;
  pay_url?: undefined;
  requested_cny_amount?: undefined;
}

/** A buy, or a draft that waits for the customer's identity: see `result_status`. */
export type CreatedBuy = MatchedBuy | HeldDraft;

/** A sell. */
export interface CreatedSell {
  order_id: number;
  order_no: string;
  merchant_order_no: string | null;
  status: OrderStatus;
  order_type: 2;
  cny_amount: string;
  rate: string;
  usdt_amount: string;
  merchant_amount: string;
  merchant_actual_amount: string;
  customer_payment_method: CustomerMethod;
  createtime: number;
  ignored?: string[];
}

/** A buy. */
export interface BuyOrder {
  order_id: number;
  order_no: string;
  merchant_order_no: string | null;
  order_type: 1;
  is_test: 0 | 1;
  status: OrderStatus;
  cny_amount: string;
  rate: string;
  usdt_amount: string;
  merchant_amount: string;
  deposit_amount: string;
  service_amount: string;
  merchant_actual_amount: string;
  createtime: number;
  updatetime: number;
  expire_time: number | null;
  timeline: TimelineEntry[];
  payment_method: TraderMethod;
  pay_url: string;
  requested_cny_amount?: string;
  refunds?: Refund[];
  reversed_usdt?: string;
  remark?: string;
  metadata?: Record<string, string>;
  callback_url?: string;
  return_url?: string;
  reported_cny_amount?: string;
  ignored?: string[];
  customer_payment_method?: undefined;
  refund_of?: undefined;
  claimed_usdt?: undefined;
  pending_no?: undefined;
  identity_url?: undefined;
}

/** A sell. */
export interface SellOrder {
  order_id: number;
  order_no: string;
  merchant_order_no: string | null;
  order_type: 2;
  is_test: 0 | 1;
  status: OrderStatus;
  cny_amount: string;
  rate: string;
  usdt_amount: string;
  merchant_amount: string;
  deposit_amount: string;
  service_amount: string;
  merchant_actual_amount: string;
  createtime: number;
  updatetime: number;
  expire_time: number | null;
  timeline: TimelineEntry[];
  customer_payment_method: CustomerMethod;
  refund_of?: string;
  claimed_usdt?: string;
  remark?: string;
  metadata?: Record<string, string>;
  callback_url?: string;
  return_url?: string;
  ignored?: string[];
  payment_method?: undefined;
  pay_url?: undefined;
  requested_cny_amount?: undefined;
  refunds?: undefined;
  reversed_usdt?: undefined;
  reported_cny_amount?: undefined;
  pending_no?: undefined;
  identity_url?: undefined;
}

/** An order, or a draft without `order_no`. */
export type Order = BuyOrder | SellOrder;

/** A draft of an order. */
export interface Draft {
  pending_no: string;
  merchant_order_no: string | null;
  status: DraftStatus;
  expire_time: number;
  identity_url?: string;
  order_no?: string;
  ignored?: string[];
  order_id?: undefined;
  order_type?: undefined;
  is_test?: undefined;
  cny_amount?: undefined;
  rate?: undefined;
  usdt_amount?: undefined;
  merchant_amount?: undefined;
  deposit_amount?: undefined;
  service_amount?: undefined;
  merchant_actual_amount?: undefined;
  createtime?: undefined;
  updatetime?: undefined;
  timeline?: undefined;
  payment_method?: undefined;
  pay_url?: undefined;
  requested_cny_amount?: undefined;
  refunds?: undefined;
  reversed_usdt?: undefined;
  remark?: undefined;
  metadata?: undefined;
  callback_url?: undefined;
  return_url?: undefined;
  reported_cny_amount?: undefined;
  customer_payment_method?: undefined;
  refund_of?: undefined;
  claimed_usdt?: undefined;
}

/** An order, or a draft, which has no `order_type`. */
export type OrderOrDraft = BuyOrder | SellOrder | Draft;

/** A page of orders. */
export interface OrderPage {
  orders: Order[];
  cursor: string | null;
  ignored?: string[];
}

/** A balance in USDT. */
export interface Balance {
  available: string;
  held: string;
  deposit: string;
}

/** The balances of live and test money. */
export interface Balances {
  live?: Balance;
  test: Balance;
  ignored?: string[];
}

/** A posting of an account. */
export interface Posting {
  id: string;
  time: number;
  kind: "funding" | "settlement" | "withdrawal" | "release" | "reversal";
  order_no: string | null;
  withdrawal_no: string | null;
  account: "available" | "deposit";
  amount: string;
  balance: string;
  merchant_order_no: string | null;
}

/** A seal of the books. */
export interface Seal {
  time: number;
  hash: string;
}

/** A page of postings. */
export interface StatementPage {
  postings: Posting[];
  cursor: string | null;
  seal?: Seal;
  ignored?: string[];
}

/** An attempt to deliver a callback. */
export interface Attempt {
  time: number;
  http_status: number | null;
  latency_ms: number;
  failure: string | null;
  answer: string;
}

/** A callback with its attempts. */
export interface Delivery {
  webhook_id: string;
  type: CallbackType;
  order_no: string | null;
  pending_no: string | null;
  status: DeliveryStatus;
  attempts: Attempt[];
  next_time: number | null;
  endpoint_id?: string;
  ignored?: string[];
}

/** An endpoint whose callbacks wait because it keeps failing. */
export interface PausedEndpoint {
  origin: string;
  since: number;
}

/** A page of callbacks. */
export interface CallbackPage {
  callbacks: Delivery[];
  cursor: string | null;
  paused: PausedEndpoint[];
  ignored?: string[];
}

/** The data of a callback about an order. */
export interface OrderEventData {
  order_id: number;
  order_no: string;
  merchant_order_no: string | null;
  order_type: 1 | 2;
  is_test: 0 | 1;
  status: OrderStatus;
  cny_amount: string;
  rate: string;
  usdt_amount: string;
  merchant_amount: string;
  deposit_amount: string;
  service_amount: string;
  merchant_actual_amount: string;
  createtime: number;
  updatetime: number;
  expire_time: number | null;
  timeline: TimelineEntry[];
  pending_no?: string;
  sequence: number;
  refund_of?: string;
  remark?: string;
  metadata?: Record<string, string>;
  requested_cny_amount?: string;
  reason?: string;
  reported_cny_amount?: string;
  reversed_usdt?: string;
  refunds?: Refund[];
  claimed_usdt?: string;
  origin?: undefined;
  since?: undefined;
  kind?: undefined;
  by?: undefined;
  opens_at?: undefined;
}

/** The data of a callback about a draft that has ended without an order. */
export interface DraftEventData {
  pending_no: string;
  merchant_order_no: string | null;
  status: DraftStatus;
  expire_time: number;
  is_test: 0 | 1;
  sequence: number;
  order_id?: undefined;
  order_no?: undefined;
  order_type?: undefined;
  cny_amount?: undefined;
  rate?: undefined;
  usdt_amount?: undefined;
  merchant_amount?: undefined;
  deposit_amount?: undefined;
  service_amount?: undefined;
  merchant_actual_amount?: undefined;
  createtime?: undefined;
  updatetime?: undefined;
  timeline?: undefined;
  refund_of?: undefined;
  remark?: undefined;
  metadata?: undefined;
  requested_cny_amount?: undefined;
  reason?: undefined;
  reported_cny_amount?: undefined;
  reversed_usdt?: undefined;
  refunds?: undefined;
  claimed_usdt?: undefined;
  origin?: undefined;
  since?: undefined;
  kind?: undefined;
  by?: undefined;
  opens_at?: undefined;
}

/** The data of a callback about one of the addresses of callbacks. */
export interface EndpointEventData {
  is_test: 0 | 1;
  origin?: string;
  since?: number;
  order_id?: undefined;
  order_no?: undefined;
  merchant_order_no?: undefined;
  order_type?: undefined;
  status?: undefined;
  cny_amount?: undefined;
  rate?: undefined;
  usdt_amount?: undefined;
  merchant_amount?: undefined;
  deposit_amount?: undefined;
  service_amount?: undefined;
  merchant_actual_amount?: undefined;
  createtime?: undefined;
  updatetime?: undefined;
  expire_time?: undefined;
  timeline?: undefined;
  pending_no?: undefined;
  sequence?: undefined;
  refund_of?: undefined;
  remark?: undefined;
  metadata?: undefined;
  requested_cny_amount?: undefined;
  reason?: undefined;
  reported_cny_amount?: undefined;
  reversed_usdt?: undefined;
  refunds?: undefined;
  claimed_usdt?: undefined;
  kind?: undefined;
  by?: undefined;
  opens_at?: undefined;
}

/** The data of a callback about a change of an endpoint, a person or a key. */
export interface AccountEventData {
  is_test: 0 | 1;
  kind: "endpoint" | "person" | "key";
  by: string;
  opens_at: number | null;
  order_id?: undefined;
  order_no?: undefined;
  merchant_order_no?: undefined;
  order_type?: undefined;
  status?: undefined;
  cny_amount?: undefined;
  rate?: undefined;
  usdt_amount?: undefined;
  merchant_amount?: undefined;
  deposit_amount?: undefined;
  service_amount?: undefined;
  merchant_actual_amount?: undefined;
  createtime?: undefined;
  updatetime?: undefined;
  expire_time?: undefined;
  timeline?: undefined;
  pending_no?: undefined;
  sequence?: undefined;
  refund_of?: undefined;
  remark?: undefined;
  metadata?: undefined;
  requested_cny_amount?: undefined;
  reason?: undefined;
  reported_cny_amount?: undefined;
  reversed_usdt?: undefined;
  refunds?: undefined;
  claimed_usdt?: undefined;
  origin?: undefined;
  since?: undefined;
}

/** The data of a callback: of an order, or of a draft (`pending_no`). */
export type EventData = OrderEventData | DraftEventData | EndpointEventData | AccountEventData;

/** A callback about an order. */
export interface OrderEvent {
  type: OrderEventType;
  timestamp: number;
  data: OrderEventData;
}

/** A callback about a draft that has ended without an order. */
export interface DraftEvent {
  type: "draft.locked" | "draft.expired";
  timestamp: number;
  data: DraftEventData;
}

/** A callback about one of the addresses of callbacks. */
export interface EndpointEvent {
  type: "endpoint.test" | "endpoint.disabled";
  timestamp: number;
  data: EndpointEventData;
}

/** A callback about a change of an endpoint, a person or a key. */
export interface AccountEvent {
  type: "account.notice";
  timestamp: number;
  data: AccountEventData;
}

/** A callback: see `type`. */
export type Event = OrderEvent | DraftEvent | EndpointEvent | AccountEvent;

/** A listed callback about an order. */
export interface ListedOrderEvent {
  event_id: string;
  type: OrderEventType;
  timestamp: number;
  data: OrderEventData;
}

/** A listed callback about a draft that has ended without an order. */
export interface ListedDraftEvent {
  event_id: string;
  type: "draft.locked" | "draft.expired";
  timestamp: number;
  data: DraftEventData;
}

/** A listed callback about one of the addresses of callbacks. */
export interface ListedEndpointEvent {
  event_id: string;
  type: "endpoint.test" | "endpoint.disabled";
  timestamp: number;
  data: EndpointEventData;
}

/** A listed callback about a change of an endpoint, a person or a key. */
export interface ListedAccountEvent {
  event_id: string;
  type: "account.notice";
  timestamp: number;
  data: AccountEventData;
}

/** The body of a callback, with the id of the event. */
export type ListedEvent = ListedOrderEvent | ListedDraftEvent | ListedEndpointEvent | ListedAccountEvent;

/** A page of events. */
export interface EventPage {
  events: ListedEvent[];
  cursor: string | null;
  ignored?: string[];
}

/** A withdrawal, or the request for one. */
export interface Withdrawal {
  time: number;
  state: "requested" | "approved" | "sent" | "rejected" | "cancelled";
  amount: string;
  request_no: string | null;
  withdrawal_no: string | null;
  network: string | null;
  address_ending: string | null;
  txid: string | null;
  reason: string | null;
}

/** A page of withdrawals. */
export interface WithdrawalPage {
  withdrawals: Withdrawal[];
  cursor: string | null;
  ignored?: string[];
}

/** The amounts of an order that was not created. */
export interface Quote {
  order_type: 1 | 2;
  cny_amount: string;
  rate: string;
  rate_time: number;
  usdt_amount: string;
  merchant_amount: string;
  deposit_amount: string;
  service_amount: string;
  merchant_actual_amount: string;
  would_match: boolean | null;
  ignored?: string[];
}

/** The fees of the agreement. */
export interface Fees {
  service_bps: number;
  service_fixed: string;
  deposit_bps: number;
  spread_bps: number;
}

/** The limits of open orders, and what is open. */
export interface Limits {
  max_open_buys: number;
  open_buys: number;
  max_open_cny: string;
  open_cny: string;
  max_open_sells: number;
  open_sells: number;
  max_open_sell_cny: string;
  open_sell_cny: string;
}

/** The terms of the merchant. */
export interface Agreement {
  min_cny: string;
  max_cny: string;
  fees: Fees;
  identity_required: boolean;
  require_receipt: boolean;
  max_rps: number;
  callback_url: string | null;
  live?: Limits;
  test: Limits;
  ignored?: string[];
}
