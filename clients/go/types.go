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
	CallbackURL  string `json:"callback_url,omitempty"`
	Remark       string `json:"remark,omitempty"`
	ReturnURL    string `json:"return_url,omitempty"`
	IsTest       *int   `json:"is_test,omitempty"`
	MethodType   string `json:"method_type,omitempty"`
	MaxDiscount  string `json:"max_discount,omitempty"`
	CustomerName string `json:"customer_name,omitempty"`
	IDCard       string `json:"id_card,omitempty"`
	Mobile       string `json:"mobile,omitempty"`
}

// SellOptions has the optional parameters of a sell.
type SellOptions struct {
	CallbackURL  string `json:"callback_url,omitempty"`
	Remark       string `json:"remark,omitempty"`
	ReturnURL    string `json:"return_url,omitempty"`
	IsTest       *int   `json:"is_test,omitempty"`
	CustomerName string `json:"customer_name,omitempty"`
	IDCard       string `json:"id_card,omitempty"`
	Mobile       string `json:"mobile,omitempty"`
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
	Status    string `json:"status,omitempty"`
	OrderType int    `json:"order_type,omitempty"`
	IsTest    *int   `json:"is_test,omitempty"`
	StartTime int64  `json:"start_time,omitempty"`
	EndTime   int64  `json:"end_time,omitempty"`
	Limit     int    `json:"limit,omitempty"`
	Cursor    string `json:"cursor,omitempty"`
}

// StatementFilters has the filters of a statement.
type StatementFilters struct {
	IsTest    *int   `json:"is_test,omitempty"`
	StartTime int64  `json:"start_time,omitempty"`
	EndTime   int64  `json:"end_time,omitempty"`
	Limit     int    `json:"limit,omitempty"`
	Cursor    string `json:"cursor,omitempty"`
}

// CallbackFilters has the filters of a list of callbacks.
type CallbackFilters struct {
	MerchantOrderNo string `json:"merchant_order_no,omitempty"`
	OrderNo         string `json:"order_no,omitempty"`
	PendingNo       string `json:"pending_no,omitempty"`
	Limit           int    `json:"limit,omitempty"`
	Cursor          string `json:"cursor,omitempty"`
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
	OrderID               int64           `json:"order_id,omitempty"`
	OrderNo               string          `json:"order_no,omitempty"`
	MerchantOrderNo       string          `json:"merchant_order_no,omitempty"`
	OrderType             int             `json:"order_type,omitempty"`
	IsTest                int             `json:"is_test,omitempty"`
	Status                string          `json:"status,omitempty"`
	CNYAmount             string          `json:"cny_amount,omitempty"`
	Rate                  string          `json:"rate,omitempty"`
	USDTAmount            string          `json:"usdt_amount,omitempty"`
	MerchantAmount        string          `json:"merchant_amount,omitempty"`
	DepositAmount         string          `json:"deposit_amount,omitempty"`
	ServiceAmount         string          `json:"service_amount,omitempty"`
	MerchantActualAmount  string          `json:"merchant_actual_amount,omitempty"`
	CreateTime            int64           `json:"createtime,omitempty"`
	UpdateTime            int64           `json:"updatetime,omitempty"`
	ExpireTime            int64           `json:"expire_time,omitempty"`
	Timeline              []TimelineEntry `json:"timeline,omitempty"`
	PaymentMethod         *TraderMethod   `json:"payment_method,omitempty"`
	PayURL                string          `json:"pay_url,omitempty"`
	RequestedCNYAmount    string          `json:"requested_cny_amount,omitempty"`
	Ignored               []string        `json:"ignored,omitempty"`
	CustomerPaymentMethod *CustomerMethod `json:"customer_payment_method,omitempty"`
	PendingNo             string          `json:"pending_no,omitempty"`
	IdentityURL           string          `json:"identity_url,omitempty"`
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
	Time    int64  `json:"time,omitempty"`
	Kind    string `json:"kind,omitempty"`
	OrderNo string `json:"order_no,omitempty"`
	Account string `json:"account,omitempty"`
	Amount  string `json:"amount,omitempty"`
	Balance string `json:"balance,omitempty"`
}

// StatementPage is a page of postings.
type StatementPage struct {
	Postings []Posting `json:"postings,omitempty"`
	Cursor   string    `json:"cursor,omitempty"`
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
	WebhookID string    `json:"webhook_id,omitempty"`
	Type      string    `json:"type,omitempty"`
	OrderNo   string    `json:"order_no,omitempty"`
	PendingNo string    `json:"pending_no,omitempty"`
	Status    string    `json:"status,omitempty"`
	Attempts  []Attempt `json:"attempts,omitempty"`
	NextTime  int64     `json:"next_time,omitempty"`
	Ignored   []string  `json:"ignored,omitempty"`
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
	OrderID              int64           `json:"order_id,omitempty"`
	OrderNo              string          `json:"order_no,omitempty"`
	MerchantOrderNo      string          `json:"merchant_order_no,omitempty"`
	OrderType            int             `json:"order_type,omitempty"`
	IsTest               int             `json:"is_test,omitempty"`
	Status               string          `json:"status,omitempty"`
	CNYAmount            string          `json:"cny_amount,omitempty"`
	Rate                 string          `json:"rate,omitempty"`
	USDTAmount           string          `json:"usdt_amount,omitempty"`
	MerchantAmount       string          `json:"merchant_amount,omitempty"`
	DepositAmount        string          `json:"deposit_amount,omitempty"`
	ServiceAmount        string          `json:"service_amount,omitempty"`
	MerchantActualAmount string          `json:"merchant_actual_amount,omitempty"`
	CreateTime           int64           `json:"createtime,omitempty"`
	UpdateTime           int64           `json:"updatetime,omitempty"`
	ExpireTime           int64           `json:"expire_time,omitempty"`
	Timeline             []TimelineEntry `json:"timeline,omitempty"`
	Sequence             int             `json:"sequence,omitempty"`
	RequestedCNYAmount   string          `json:"requested_cny_amount,omitempty"`
	PendingNo            string          `json:"pending_no,omitempty"`
	Origin               string          `json:"origin,omitempty"`
	Since                int64           `json:"since,omitempty"`
}

// Event is a callback.
type Event struct {
	Type      string     `json:"type,omitempty"`
	Timestamp int64      `json:"timestamp,omitempty"`
	Data      *EventData `json:"data,omitempty"`
}
