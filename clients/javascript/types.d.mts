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

export type OrderOrDraftStatus =
  | "pending"
  | "paid"
  | "matching"
  | "assigned"
  | "completed"
  | "cancelled"
  | "expired"
  | "disputed"
  | "held"
  | "locked";

export type CallbackType =
  | "order.created"
  | "order.paid"
  | "order.assigned"
  | "order.completed"
  | "order.cancelled"
  | "order.expired"
  | "order.disputed"
  | "draft.locked"
  | "draft.expired"
  | "endpoint.test"
  | "endpoint.disabled";

export type DeliveryStatus =
  | "pending"
  | "delivered"
  | "undeliverable"
  | "gone"
  | "dead"
  | "skipped"
  | "failed";

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
}

/** The optional parameters of a sell. */
export interface SellOptions {
  callback_url?: string;
  remark?: string;
  return_url?: string;
  is_test?: 0 | 1;
  customer_name?: string;
  id_card?: string;
  mobile?: string;
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
  limit?: number;
  cursor?: string;
}

/** The filters of a statement. */
export interface StatementFilters {
  is_test?: 0 | 1;
  start_time?: number;
  end_time?: number;
  limit?: number;
  cursor?: string;
}

/** The filters of a list of callbacks. */
export interface CallbackFilters {
  merchant_order_no?: string;
  order_no?: string;
  pending_no?: string;
  limit?: number;
  cursor?: string;
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

/** A buy, or a draft that waits for the customer's identity: see `result_status`. */
export interface CreatedBuy {
  result_status: "success" | "pending_identity";
  order_no?: string;
  merchant_order_no?: string | null;
  status?: OrderStatus;
  order_type?: 1;
  cny_amount?: string;
  rate?: string;
  payment_method?: TraderMethod;
  merchant_amount?: string;
  deposit_amount?: string;
  service_amount?: string;
  merchant_actual_amount?: string;
  createtime?: number;
  pay_url?: string;
  requested_cny_amount?: string;
  ignored?: string[];
  pending_no?: string;
  identity_url?: string;
  expire_time?: number;
}

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

/** An order, or a draft without `order_no`. */
export interface Order {
  order_id?: number;
  order_no?: string;
  merchant_order_no: string | null;
  order_type?: 1 | 2;
  is_test?: 0 | 1;
  status: OrderOrDraftStatus;
  cny_amount?: string;
  rate?: string;
  usdt_amount?: string;
  merchant_amount?: string;
  deposit_amount?: string;
  service_amount?: string;
  merchant_actual_amount?: string;
  createtime?: number;
  updatetime?: number;
  expire_time: number | null;
  timeline?: TimelineEntry[];
  payment_method?: TraderMethod;
  pay_url?: string;
  requested_cny_amount?: string;
  ignored?: string[];
  customer_payment_method?: CustomerMethod;
  pending_no?: string;
  identity_url?: string;
}

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
  time: number;
  kind: "funding" | "settlement" | "withdrawal";
  order_no: string | null;
  account: "available" | "deposit";
  amount: string;
  balance: string;
}

/** A page of postings. */
export interface StatementPage {
  postings: Posting[];
  cursor: string | null;
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

/** The data of a callback: of an order, or of a draft (`pending_no`). */
export interface EventData {
  order_id?: number;
  order_no?: string;
  merchant_order_no?: string | null;
  order_type?: 1 | 2;
  is_test: 0 | 1;
  status?: OrderOrDraftStatus;
  cny_amount?: string;
  rate?: string;
  usdt_amount?: string;
  merchant_amount?: string;
  deposit_amount?: string;
  service_amount?: string;
  merchant_actual_amount?: string;
  createtime?: number;
  updatetime?: number;
  expire_time?: number | null;
  timeline?: TimelineEntry[];
  sequence?: number;
  requested_cny_amount?: string;
  pending_no?: string;
  origin?: string;
  since?: number;
}

/** A callback. */
export interface Event {
  type: string;
  timestamp: number;
  data: EventData;
}
