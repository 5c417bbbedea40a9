// SPDX-License-Identifier: Apache-2.0

// Written by `make openapi` from docs/openapi.yaml.

package orderdesk

// PaymentMethod is a customer's method: the fields of a bank account, or those of a wallet.
type PaymentMethod struct {
	MethodType string `json:"method_type,omitempty"`
	RealName   string `json:"real_name,omitempty"`
	Bank       string `json:"bank,omitempty"`
	SubBank    string `json:"sub_bank,omitempty"`
	CardNumber string `json:"card_number,omitempty"`
	Account    string `json:"account,omitempty"`
	QRCode     string `json:"qr_code,omitempty"`
}

// BuyOptions has the optional parameters of a buy.
type BuyOptions struct {
	CallbackURL  string            `json:"callback_url,omitempty"`
	Remark       string            `json:"remark,omitempty"`
	ReturnURL    string            `json:"return_url,omitempty"`
	IsTest       *int              `json:"is_test,omitempty"`
	MethodType   string            `json:"method_type,omitempty"`
	MaxDiscount  string            `json:"max_discount,omitempty"`
	CustomerName string            `json:"customer_name,omitempty"`
	IDCard       string            `json:"id_card,omitempty"`
	Mobile       string            `json:"mobile,omitempty"`
	Metadata     map[string]string `json:"metadata,omitempty"`
}

// SellOptions has the optional parameters of a sell.
type SellOptions struct {
	CallbackURL  string            `json:"callback_url,omitempty"`
	Remark       string            `json:"remark,omitempty"`
	ReturnURL    string            `json:"return_url,omitempty"`
	IsTest       *int              `json:"is_test,omitempty"`
	RefundOf     string            `json:"refund_of,omitempty"`
	CustomerName string            `json:"customer_name,omitempty"`
	IDCard       string            `json:"id_card,omitempty"`
	Mobile       string            `json:"mobile,omitempty"`
	Metadata     map[string]string `json:"metadata,omitempty"`
}

// OrderNumber has the number of an order: one of the fields.
type OrderNumber struct {
	MerchantOrderNo string `json:"merchant_order_no,omitempty"`
	OrderNo         string `json:"order_no,omitempty"`
}

// AnyNumber has the number of an order or a draft: one of the fields.
type AnyNumber struct {
	MerchantOrderNo string `json:"merchant_order_no,omitempty"`
	OrderNo         string `json:"order_no,omitempty"`
	PendingNo       string `json:"pending_no,omitempty"`
}

// OrderFilters has the filters of a list of orders.
type OrderFilters struct {
	Status          string `json:"status,omitempty"`
	OrderType       int    `json:"order_type,omitempty"`
	IsTest          *int   `json:"is_test,omitempty"`
	StartTime       int64  `json:"start_time,omitempty"`
	EndTime         int64  `json:"end_time,omitempty"`
	MerchantOrderNo string `json:"merchant_order_no,omitempty"`
	CNYAmount       string `json:"cny_amount,omitempty"`
	MetadataKey     string `json:"metadata_key,omitempty"`
	MetadataValue   string `json:"metadata_value,omitempty"`
	Limit           int    `json:"limit,omitempty"`
	Cursor          string `json:"cursor,omitempty"`
}

// StatementFilters has the filters of a statement.
type StatementFilters struct {
	IsTest    *int   `json:"is_test,omitempty"`
	StartTime int64  `json:"start_time,omitempty"`
	EndTime   int64  `json:"end_time,omitempty"`
	OrderNo   string `json:"order_no,omitempty"`
	Kind      string `json:"kind,omitempty"`
	Limit     int    `json:"limit,omitempty"`
	Cursor    string `json:"cursor,omitempty"`
}

// CallbackFilters has the filters of a list of callbacks.
type CallbackFilters struct {
	MerchantOrderNo string `json:"merchant_order_no,omitempty"`
	OrderNo         string `json:"order_no,omitempty"`
	PendingNo       string `json:"pending_no,omitempty"`
	Type            string `json:"type,omitempty"`
	StartTime       int64  `json:"start_time,omitempty"`
	EndTime         int64  `json:"end_time,omitempty"`
	Limit           int    `json:"limit,omitempty"`
	Cursor          string `json:"cursor,omitempty"`
	Status          string `json:"status,omitempty"`
}

// EventFilters has the filters of a list of events.
type EventFilters struct {
	MerchantOrderNo string `json:"merchant_order_no,omitempty"`
	OrderNo         string `json:"order_no,omitempty"`
	Type            string `json:"type,omitempty"`
	StartTime       int64  `json:"start_time,omitempty"`
	EndTime         int64  `json:"end_time,omitempty"`
	Limit           int    `json:"limit,omitempty"`
	Cursor          string `json:"cursor,omitempty"`
}

// WithdrawalFilters has the filters of a list of withdrawals.
type WithdrawalFilters struct {
	IsTest *int   `json:"is_test,omitempty"`
	Limit  int    `json:"limit,omitempty"`
	Cursor string `json:"cursor,omitempty"`
}

// QuoteOptions has the optional parameters of a quote.
type QuoteOptions struct {
	MethodType string `json:"method_type,omitempty"`
	IsTest     *int   `json:"is_test,omitempty"`
}

// TraderMethod has the account to which the payer of a buy sends the money.
type TraderMethod struct {
	MethodType string `json:"method_type,omitempty"`
	Bank       string `json:"bank,omitempty"`
	SubBank    string `json:"sub_bank,omitempty"`
	CardNumber string `json:"card_number,omitempty"`
	Account    string `json:"account,omitempty"`
	QRCode     string `json:"qr_code,omitempty"`
	RealName   string `json:"real_name,omitempty"`
}

// CustomerMethod has the account to which a sell is paid.
type CustomerMethod struct {
	MethodType string `json:"method_type,omitempty"`
	Bank       string `json:"bank,omitempty"`
	SubBank    string `json:"sub_bank,omitempty"`
	CardNumber string `json:"card_number,omitempty"`
	Account    string `json:"account,omitempty"`
	QRCode     string `json:"qr_code,omitempty"`
	RealName   string `json:"real_name,omitempty"`
	FullInfo   string `json:"full_info,omitempty"`
}

// TimelineEntry is a change of an order's status.
type TimelineEntry struct {
	Status string `json:"status,omitempty"`
	Time   int64  `json:"time,omitempty"`
	By     string `json:"by,omitempty"`
}

// Refund is a sell that refunds a buy.
type Refund struct {
	OrderNo   string `json:"order_no,omitempty"`
	CNYAmount string `json:"cny_amount,omitempty"`
}

// CreatedBuy is a buy, or a draft that waits for the customer's identity: see result_status.
type CreatedBuy struct {
	ResultStatus         string        `json:"result_status,omitempty"`
	OrderNo              string        `json:"order_no,omitempty"`
	MerchantOrderNo      string        `json:"merchant_order_no,omitempty"`
	Status               string        `json:"status,omitempty"`
	OrderType            int           `json:"order_type,omitempty"`
	CNYAmount            string        `json:"cny_amount,omitempty"`
	Rate                 string        `json:"rate,omitempty"`
	PaymentMethod        *TraderMethod `json:"payment_method,omitempty"`
	MerchantAmount       string        `json:"merchant_amount,omitempty"`
	DepositAmount        string        `json:"deposit_amount,omitempty"`
	ServiceAmount        string        `json:"service_amount,omitempty"`
	MerchantActualAmount string        `json:"merchant_actual_amount,omitempty"`
	CreateTime           int64         `json:"createtime,omitempty"`
	PayURL               string        `json:"pay_url,omitempty"`
	RequestedCNYAmount   string        `json:"requested_cny_amount,omitempty"`
	Ignored              []string      `json:"ignored,omitempty"`
	PendingNo            string        `json:"pending_no,omitempty"`
	IdentityURL          string        `json:"identity_url,omitempty"`
	ExpireTime           int64         `json:"expire_time,omitempty"`
}

// CreatedSell is a sell.
type CreatedSell struct {
	OrderID               int64           `json:"order_id,omitempty"`
	OrderNo               string          `json:"order_no,omitempty"`
	MerchantOrderNo       string          `json:"merchant_order_no,omitempty"`
	Status                string          `json:"status,omitempty"`
	OrderType             int             `json:"order_type,omitempty"`
	CNYAmount             string          `json:"cny_amount,omitempty"`
	Rate                  string          `json:"rate,omitempty"`
	USDTAmount            string          `json:"usdt_amount,omitempty"`
	MerchantAmount        string          `json:"merchant_amount,omitempty"`
	MerchantActualAmount  string          `json:"merchant_actual_amount,omitempty"`
	CustomerPaymentMethod *CustomerMethod `json:"customer_payment_method,omitempty"`
	CreateTime            int64           `json:"createtime,omitempty"`
	Ignored               []string        `json:"ignored,omitempty"`
}

// Order is an order, or a draft without order_no.
type Order struct {
	OrderID               int64             `json:"order_id,omitempty"`
	OrderNo               string            `json:"order_no,omitempty"`
	MerchantOrderNo       string            `json:"merchant_order_no,omitempty"`
	OrderType             int               `json:"order_type,omitempty"`
	IsTest                int               `json:"is_test,omitempty"`
	Status                string            `json:"status,omitempty"`
	CNYAmount             string            `json:"cny_amount,omitempty"`
	Rate                  string            `json:"rate,omitempty"`
	USDTAmount            string            `json:"usdt_amount,omitempty"`
	MerchantAmount        string            `json:"merchant_amount,omitempty"`
	DepositAmount         string            `json:"deposit_amount,omitempty"`
	ServiceAmount         string            `json:"service_amount,omitempty"`
	MerchantActualAmount  string            `json:"merchant_actual_amount,omitempty"`
	CreateTime            int64             `json:"createtime,omitempty"`
	UpdateTime            int64             `json:"updatetime,omitempty"`
	ExpireTime            int64             `json:"expire_time,omitempty"`
	Timeline              []TimelineEntry   `json:"timeline,omitempty"`
	PaymentMethod         *TraderMethod     `json:"payment_method,omitempty"`
	PayURL                string            `json:"pay_url,omitempty"`
	RequestedCNYAmount    string            `json:"requested_cny_amount,omitempty"`
	Refunds               []Refund          `json:"refunds,omitempty"`
	ReversedUSDT          string            `json:"reversed_usdt,omitempty"`
	Remark                string            `json:"remark,omitempty"`
	Metadata              map[string]string `json:"metadata,omitempty"`
	CallbackURL           string            `json:"callback_url,omitempty"`
	ReturnURL             string            `json:"return_url,omitempty"`
	ReportedCNYAmount     string            `json:"reported_cny_amount,omitempty"`
	Ignored               []string          `json:"ignored,omitempty"`
	CustomerPaymentMethod *CustomerMethod   `json:"customer_payment_method,omitempty"`
	RefundOf              string            `json:"refund_of,omitempty"`
	ClaimedUSDT           string            `json:"claimed_usdt,omitempty"`
	PendingNo             string            `json:"pending_no,omitempty"`
	IdentityURL           string            `json:"identity_url,omitempty"`
}

// OrderPage is a page of orders.
type OrderPage struct {
	Orders  []Order  `json:"orders,omitempty"`
	Cursor  string   `json:"cursor,omitempty"`
	Ignored []string `json:"ignored,omitempty"`
}

// Balance is a balance in USDT.
type Balance struct {
	Available string `json:"available,omitempty"`
	Held      string `json:"held,omitempty"`
	Deposit   string `json:"deposit,omitempty"`
}

// Balances has the balances of live and test money.
type Balances struct {
	Live    *Balance `json:"live,omitempty"`
	Test    *Balance `json:"test,omitempty"`
	Ignored []string `json:"ignored,omitempty"`
}

// Posting is a posting of an account.
type Posting struct {
	ID              string `json:"id,omitempty"`
	Time            int64  `json:"time,omitempty"`
	Kind            string `json:"kind,omitempty"`
	OrderNo         string `json:"order_no,omitempty"`
	WithdrawalNo    string `json:"withdrawal_no,omitempty"`
	Account         string `json:"account,omitempty"`
	Amount          string `json:"amount,omitempty"`
	Balance         string `json:"balance,omitempty"`
	MerchantOrderNo string `json:"merchant_order_no,omitempty"`
}

// Seal is a seal of the books.
type Seal struct {
	Time int64  `json:"time,omitempty"`
	Hash string `json:"hash,omitempty"`
}

// StatementPage is a page of postings.
type StatementPage struct {
	Postings []Posting `json:"postings,omitempty"`
	Cursor   string    `json:"cursor,omitempty"`
	Seal     *Seal     `json:"seal,omitempty"`
	Ignored  []string  `json:"ignored,omitempty"`
}

// Attempt is an attempt to deliver a callback.
type Attempt struct {
	Time       int64  `json:"time,omitempty"`
	HTTPStatus int    `json:"http_status,omitempty"`
	LatencyMs  int    `json:"latency_ms,omitempty"`
	Failure    string `json:"failure,omitempty"`
	Answer     string `json:"answer,omitempty"`
}

// Delivery is a callback with its attempts.
type Delivery struct {
	WebhookID  string    `json:"webhook_id,omitempty"`
	Type       string    `json:"type,omitempty"`
	OrderNo    string    `json:"order_no,omitempty"`
	PendingNo  string    `json:"pending_no,omitempty"`
	Status     string    `json:"status,omitempty"`
	Attempts   []Attempt `json:"attempts,omitempty"`
	NextTime   int64     `json:"next_time,omitempty"`
	EndpointID string    `json:"endpoint_id,omitempty"`
	Ignored    []string  `json:"ignored,omitempty"`
}

// PausedEndpoint is an endpoint whose callbacks wait because it keeps failing.
type PausedEndpoint struct {
	Origin string `json:"origin,omitempty"`
	Since  int64  `json:"since,omitempty"`
}

// CallbackPage is a page of callbacks.
type CallbackPage struct {
	Callbacks []Delivery       `json:"callbacks,omitempty"`
	Cursor    string           `json:"cursor,omitempty"`
	Paused    []PausedEndpoint `json:"paused,omitempty"`
	Ignored   []string         `json:"ignored,omitempty"`
}

// EventData has the data of a callback: of an order, or of a draft (pending_no).
type EventData struct {
	OrderID              int64             `json:"order_id,omitempty"`
	OrderNo              string            `json:"order_no,omitempty"`
	MerchantOrderNo      string            `json:"merchant_order_no,omitempty"`
	OrderType            int               `json:"order_type,omitempty"`
	IsTest               int               `json:"is_test,omitempty"`
	Status               string            `json:"status,omitempty"`
	CNYAmount            string            `json:"cny_amount,omitempty"`
	Rate                 string            `json:"rate,omitempty"`
	USDTAmount           string            `json:"usdt_amount,omitempty"`
	MerchantAmount       string            `json:"merchant_amount,omitempty"`
	DepositAmount        string            `json:"deposit_amount,omitempty"`
	ServiceAmount        string            `json:"service_amount,omitempty"`
	MerchantActualAmount string            `json:"merchant_actual_amount,omitempty"`
	CreateTime           int64             `json:"createtime,omitempty"`
	UpdateTime           int64             `json:"updatetime,omitempty"`
	ExpireTime           int64             `json:"expire_time,omitempty"`
	Timeline             []TimelineEntry   `json:"timeline,omitempty"`
	PendingNo            string            `json:"pending_no,omitempty"`
	Sequence             int               `json:"sequence,omitempty"`
	RefundOf             string            `json:"refund_of,omitempty"`
	Remark               string            `json:"remark,omitempty"`
	Metadata             map[string]string `json:"metadata,omitempty"`
	RequestedCNYAmount   string            `json:"requested_cny_amount,omitempty"`
	Reason               string            `json:"reason,omitempty"`
	ReportedCNYAmount    string            `json:"reported_cny_amount,omitempty"`
	ReversedUSDT         string            `json:"reversed_usdt,omitempty"`
	Refunds              []Refund          `json:"refunds,omitempty"`
	ClaimedUSDT          string            `json:"claimed_usdt,omitempty"`
	Origin               string            `json:"origin,omitempty"`
	Since                int64             `json:"since,omitempty"`
	Kind                 string            `json:"kind,omitempty"`
	By                   string            `json:"by,omitempty"`
	OpensAt              int64             `json:"opens_at,omitempty"`
}

// ListedEvent has the body of a callback, with the id of the event.
type ListedEvent struct {
	EventID   string     `json:"event_id,omitempty"`
	Type      string     `json:"type,omitempty"`
	Timestamp int64      `json:"timestamp,omitempty"`
	Data      *EventData `json:"data,omitempty"`
}

// EventPage is a page of events.
type EventPage struct {
	Events  []ListedEvent `json:"events,omitempty"`
	Cursor  string        `json:"cursor,omitempty"`
	Ignored []string      `json:"ignored,omitempty"`
}

// Withdrawal is a withdrawal, or the request for one.
type Withdrawal struct {
	Time          int64  `json:"time,omitempty"`
	State         string `json:"state,omitempty"`
	Amount        string `json:"amount,omitempty"`
	RequestNo     string `json:"request_no,omitempty"`
	WithdrawalNo  string `json:"withdrawal_no,omitempty"`
	Network       string `json:"network,omitempty"`
	AddressEnding string `json:"address_ending,omitempty"`
	Txid          string `json:"txid,omitempty"`
	Reason        string `json:"reason,omitempty"`
}

// WithdrawalPage is a page of withdrawals.
type WithdrawalPage struct {
	Withdrawals []Withdrawal `json:"withdrawals,omitempty"`
	Cursor      string       `json:"cursor,omitempty"`
	Ignored     []string     `json:"ignored,omitempty"`
}

// Quote has the amounts of an order that was not created.
type Quote struct {
	OrderType            int      `json:"order_type,omitempty"`
	CNYAmount            string   `json:"cny_amount,omitempty"`
	Rate                 string   `json:"rate,omitempty"`
	RateTime             int64    `json:"rate_time,omitempty"`
	USDTAmount           string   `json:"usdt_amount,omitempty"`
	MerchantAmount       string   `json:"merchant_amount,omitempty"`
	DepositAmount        string   `json:"deposit_amount,omitempty"`
	ServiceAmount        string   `json:"service_amount,omitempty"`
	MerchantActualAmount string   `json:"merchant_actual_amount,omitempty"`
	WouldMatch           *bool    `json:"would_match,omitempty"`
	Ignored              []string `json:"ignored,omitempty"`
}

// Fees has the fees of the agreement.
type Fees struct {
	ServiceBps   int    `json:"service_bps,omitempty"`
	ServiceFixed string `json:"service_fixed,omitempty"`
	DepositBps   int    `json:"deposit_bps,omitempty"`
	SpreadBps    int    `json:"spread_bps,omitempty"`
}

// Limits has the limits of open orders, and what is open.
type Limits struct {
	MaxOpenBuys    int    `json:"max_open_buys,omitempty"`
	OpenBuys       int    `json:"open_buys,omitempty"`
	MaxOpenCNY     string `json:"max_open_cny,omitempty"`
	OpenCNY        string `json:"open_cny,omitempty"`
	MaxOpenSells   int    `json:"max_open_sells,omitempty"`
	OpenSells      int    `json:"open_sells,omitempty"`
	MaxOpenSellCNY string `json:"max_open_sell_cny,omitempty"`
	OpenSellCNY    string `json:"open_sell_cny,omitempty"`
}

// Agreement has the terms of the merchant.
type Agreement struct {
	MinCNY           string   `json:"min_cny,omitempty"`
	MaxCNY           string   `json:"max_cny,omitempty"`
	Fees             *Fees    `json:"fees,omitempty"`
	IdentityRequired bool     `json:"identity_required,omitempty"`
	RequireReceipt   bool     `json:"require_receipt,omitempty"`
	MaxRps           int      `json:"max_rps,omitempty"`
	CallbackURL      string   `json:"callback_url,omitempty"`
	Live             *Limits  `json:"live,omitempty"`
	Test             *Limits  `json:"test,omitempty"`
	Ignored          []string `json:"ignored,omitempty"`
}

// Event is a callback: see type.
type Event struct {
	Type      string     `json:"type,omitempty"`
	Timestamp int64      `json:"timestamp,omitempty"`
	Data      *EventData `json:"data,omitempty"`
}
