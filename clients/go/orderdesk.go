// SPDX-License-Identifier: Apache-2.0

// Package orderdesk is a client of orderdesk's merchant API: signed calls and verified callbacks.
// It needs only Go 1.19 or newer.
//
//	client, err := orderdesk.New("https://api.example.com/v1", "mk_…", "sk_…")
//	order, err := client.CreateBuy(ctx, "A-1001", "1000.00", orderdesk.BuyOptions{})
//	fmt.Println(order.PayURL)
//
// A zero value is an absent parameter, and an absent or null value of a response. Amounts are strings
// ("1000.00") in requests and responses. Calculate with big.Rat, not with floats.
package orderdesk

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	mathrand "math/rand"
	"net/http"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	attemptsMax       = 4
	waitMax           = 10 * time.Second
	callbackTolerance = 300 * time.Second
)

var baseURLs = regexp.MustCompile(
	`^https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(/[A-Za-z0-9._~%/-]*)?$`)

// Data is an object of the API: the parameters of Call, or the data of a refusal. Response numbers are json.Number.
type Data map[string]any

// Int returns a pointer to a number, for parameters whose 0 is a value.
func Int(value int) *int { return &value }

// Code is the error code of a refused call. Compare it with errors.Is(err, orderdesk.ErrOrderNotFound).
type Code int

// The error codes.
const (
	ErrInvalidBody                 Code = 1001
	ErrInvalidParameter            Code = 1002
	ErrAmountOutOfRange            Code = 1003
	ErrUnknownAPIKey               Code = 1101
	ErrBadSignature                Code = 1102
	ErrTimestampOutOfWindow        Code = 1103
	ErrNonceReused                 Code = 1104
	ErrIPNotAllowed                Code = 1105
	ErrMerchantSuspended           Code = 1106
	ErrNotAllowedByKey             Code = 1107
	ErrTooManyRequests             Code = 1201
	ErrMerchantOrderNoExists       Code = 2001
	ErrOrderNotFound               Code = 2002
	ErrStateConflict               Code = 2003
	ErrNoTraderAvailable           Code = 2101
	ErrInsufficientBalance         Code = 2102
	ErrRateUnavailable             Code = 2103
	ErrOpenLimitReached            Code = 2104
	ErrOpenSellLimitReached        Code = 2105
	ErrRefusedByDesk               Code = 2106
	ErrIdentityVerificationFailed  Code = 2201
	ErrIdentityProviderUnavailable Code = 2202
	ErrUnknownRoute                Code = 4000
	ErrInternalError               Code = 5000
	ErrTryAgain                    Code = 5001
)

func (code Code) Error() string { return "orderdesk: code " + strconv.Itoa(int(code)) }

// Refused is the error of a call that the service refused; Data has the details of Code.
type Refused struct {
	Code       Code
	Message    string
	Data       Data
	HTTPStatus int
	RequestID  string
	RetryAfter time.Duration // 0 without a Retry-After header
	// AfterLostAttempt is true if an earlier attempt of this call got no clear response; the
	// service may have executed it.
	AfterLostAttempt bool
}

func (refused *Refused) Error() string {
	// This text is often logged, so it omits most of Data, which may have names and card numbers.
	details, isListed := refused.Data["fields"]
	if !isListed {
		details = refused.Data["reason"]
	}
	text := fmt.Sprintf("orderdesk: %d %s: %v", refused.Code, refused.Message, details)
	for _, name := range []string{"status", "min_cny", "max_cny", "limit"} {
		if value, isThere := refused.Data[name]; isThere {
			text += fmt.Sprintf(", %s %v", name, value)
		}
	}
	return text
}

// Unwrap returns the code, for errors.Is.
func (refused *Refused) Unwrap() error { return refused.Code }

// NoAnswer is the error of a call without any response. The service may have executed the call:
// query the order.
type NoAnswer struct {
	Cause error
	// AfterLostAttempt is that of Refused.
	AfterLostAttempt bool
}

func (err *NoAnswer) Error() string { return "orderdesk: no answer: " + err.Cause.Error() }

// Unwrap returns the cause.
func (err *NoAnswer) Unwrap() error { return err.Cause }

// ErrInvalidCallback: a callback is not signed with the secret, or its timestamp is too old or too new.
var ErrInvalidCallback = errors.New("orderdesk: invalid callback")

// Client calls the merchant API. Its methods return the response's data, or *Refused or *NoAnswer
// after up to 4 attempts. It is safe for concurrent use.
type Client struct {
	// Test creates test orders.
	Test bool
	// HTTP sends the requests. Its Timeout applies to each attempt.
	HTTP *http.Client

	baseURL, apiKey, apiSecret string
}

// New returns a client of the API at a base URL, or an error for a base URL that is not http or https.
func New(baseURL, apiKey, apiSecret string) (*Client, error) {
	if !baseURLs.MatchString(baseURL) {
		return nil, fmt.Errorf("orderdesk: the base URL %q is not an http or https URL", baseURL)
	}
	sender := &http.Client{
		Timeout:       10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	client := &Client{HTTP: sender, baseURL: strings.TrimRight(baseURL, "/"), apiKey: apiKey, apiSecret: apiSecret}
	return client, nil
}

// CreateBuy creates a buy; by ResultStatus, the response has PayURL or IdentityURL.
func (client *Client) CreateBuy(
	ctx context.Context, merchantOrderNo, cnyAmount string, options BuyOptions,
) (*CreatedBuy, error) {
	named := Data{"order_type": 1, "cny_amount": cnyAmount}
	created, err := create[CreatedBuy](ctx, client, merchantOrderNo, parametersOf(options), named)
	if err == nil && created.ResultStatus == "" { // an earlier attempt created it: QueryOrder's response
		created.ResultStatus = "success"
		if created.OrderNo == "" {
			created.ResultStatus = "pending_identity"
		}
	}
	return created, err
}

// CreateOrGet creates a buy, or returns the first one of this number if it is the same, as it is now: see Status.
func (client *Client) CreateOrGet(
	ctx context.Context, merchantOrderNo, cnyAmount string, options BuyOptions,
) (*CreatedBuy, error) {
	created, err := client.CreateBuy(ctx, merchantOrderNo, cnyAmount, options)
	var refused *Refused
	if !errors.As(err, &refused) || refused.Code != ErrMerchantOrderNoExists || refused.Data["same"] != true {
		return created, err
	}
	number := Data{"merchant_order_no": merchantOrderNo}
	created, err = call[CreatedBuy](ctx, client, "/merchant/queryOrder", number)
	if err == nil && created.OrderNo != "" {
		created.ResultStatus = "success"
	} else if err == nil {
		created.ResultStatus = "pending_identity"
	}
	return created, err
}

// CreateSell creates a sell that is paid to the customer's payment method.
func (client *Client) CreateSell(
	ctx context.Context, merchantOrderNo, cnyAmount string, paymentMethod PaymentMethod, options SellOptions,
) (*CreatedSell, error) {
	named := Data{"order_type": 2, "cny_amount": cnyAmount, "payment_method": parametersOf(paymentMethod)}
	return create[CreatedSell](ctx, client, merchantOrderNo, parametersOf(options), named)
}

// QueryOrder returns an order or draft by one of its numbers.
func (client *Client) QueryOrder(ctx context.Context, number AnyNumber) (*Order, error) {
	return call[Order](ctx, client, "/merchant/queryOrder", parametersOf(number))
}

// ListOrders returns a page of orders, newest first; pass its Cursor for the next page.
func (client *Client) ListOrders(ctx context.Context, filters OrderFilters) (*OrderPage, error) {
	return call[OrderPage](ctx, client, "/merchant/listOrders", parametersOf(filters))
}

// CancelOrder cancels a pending buy or a matching sell.
func (client *Client) CancelOrder(ctx context.Context, number OrderNumber) (*Order, error) {
	return call[Order](ctx, client, "/merchant/cancelOrder", parametersOf(number))
}

// DisputeOrder disputes a paid buy that is not confirmed within 30 minutes.
func (client *Client) DisputeOrder(ctx context.Context, number OrderNumber) (*Order, error) {
	return call[Order](ctx, client, "/merchant/disputeOrder", parametersOf(number))
}

// Balance returns available, held and deposit USDT for live and test.
func (client *Client) Balance(ctx context.Context) (*Balances, error) {
	return call[Balances](ctx, client, "/merchant/balance", nil)
}

// Statement returns a page of postings, oldest first; pass its Cursor for the next page.
func (client *Client) Statement(ctx context.Context, filters StatementFilters) (*StatementPage, error) {
	return call[StatementPage](ctx, client, "/merchant/statement", parametersOf(filters))
}

// ListCallbacks returns a page of callbacks with their attempts, newest first, of one order or all.
func (client *Client) ListCallbacks(ctx context.Context, filters CallbackFilters) (*CallbackPage, error) {
	return call[CallbackPage](ctx, client, "/merchant/listCallbacks", parametersOf(filters))
}

// ListEvents returns a page of events, the bodies of callbacks, newest first.
func (client *Client) ListEvents(ctx context.Context, filters EventFilters) (*EventPage, error) {
	return call[EventPage](ctx, client, "/merchant/listEvents", parametersOf(filters))
}

// ListWithdrawals returns a page of withdrawals, newest first.
func (client *Client) ListWithdrawals(ctx context.Context, filters WithdrawalFilters) (*WithdrawalPage, error) {
	return call[WithdrawalPage](ctx, client, "/merchant/listWithdrawals", parametersOf(filters))
}

// Quote returns the amounts of an order (1 = buy, 2 = sell) that is not created.
func (client *Client) Quote(
	ctx context.Context, orderType int, cnyAmount string, options QuoteOptions,
) (*Quote, error) {
	asked := Data{"order_type": orderType, "cny_amount": cnyAmount}
	return call[Quote](ctx, client, "/merchant/quote", merged(parametersOf(options), asked))
}

// Agreement returns the merchant's terms, and what is open of its limits.
func (client *Client) Agreement(ctx context.Context) (*Agreement, error) {
	return call[Agreement](ctx, client, "/merchant/agreement", nil)
}

// RedeliverCallback sends a callback again, with the same id; an endpointID is that of a further address.
func (client *Client) RedeliverCallback(
	ctx context.Context, webhookID string, endpointID ...string,
) (*Delivery, error) {
	asked := Data{"webhook_id": webhookID}
	for _, each := range endpointID {
		asked["endpoint_id"] = each
	}
	return call[Delivery](ctx, client, "/merchant/redeliverCallback", asked)
}

// TestCallback queues a test event for an endpoint, or for the default address if the URL is empty.
func (client *Client) TestCallback(ctx context.Context, callbackURL string) (*Delivery, error) {
	return call[Delivery](ctx, client, "/merchant/testCallback", Data{"callback_url": callbackURL})
}

// AdvanceOrder moves a test order or draft to a status, as its payer, its trader, an operator or the clock.
func (client *Client) AdvanceOrder(ctx context.Context, to string, number AnyNumber) (*Order, error) {
	return call[Order](ctx, client, "/test/advanceOrder", merged(parametersOf(number), Data{"to": to}))
}

// Call calls any route. Each attempt is signed again, because a nonce is accepted only once.
func (client *Client) Call(ctx context.Context, path string, parameters Data) (Data, error) {
	data, err := call[Data](ctx, client, path, parameters)
	if err != nil {
		return nil, err
	}
	return *data, nil
}

func call[Answer any](ctx context.Context, client *Client, path string, parameters Data) (*Answer, error) {
	lost := false
	for attempt := 1; ; attempt++ {
		data, err := client.attempt(ctx, path, parameters)
		var refused *Refused
		var noAnswer *NoAnswer
		switch {
		case err == nil:
			return decoded[Answer](data)
		case errors.As(err, &refused):
			refused.AfterLostAttempt = lost
		case errors.As(err, &noAnswer):
			noAnswer.AfterLostAttempt = lost
		}
		wait, retry := waitBeforeRetry(err, attempt)
		if !retry || attempt == attemptsMax {
			return nil, err
		}
		// After these codes, the service may or may not have executed the call.
		lost = lost || refused == nil || refused.Code == ErrInternalError || refused.Code == ErrTryAgain
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(wait):
		}
	}
}

func create[Created any](
	ctx context.Context, client *Client, merchantOrderNo string, options, named Data,
) (*Created, error) {
	if merchantOrderNo == "" {
		return nil, errors.New("orderdesk: without a merchant_order_no a retry could create a second order")
	}
	path := "/merchant/createOrder"
	if client.Test {
		path = "/test/createOrder"
	}
	number := Data{"merchant_order_no": merchantOrderNo}
	created, err := call[Created](ctx, client, path, merged(options, named, number))
	var refused *Refused
	if !errors.As(err, &refused) || refused.Code != ErrMerchantOrderNoExists {
		return created, err
	}
	if !refused.AfterLostAttempt || refused.Data["same"] == false {
		return nil, err
	}
	// The earlier attempt created the order.
	return call[Created](ctx, client, "/merchant/queryOrder", number)
}

func (client *Client) attempt(ctx context.Context, path string, parameters Data) (json.RawMessage, error) {
	nonce := make([]byte, 16)
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	common := Data{"api_key": client.apiKey, "timestamp": time.Now().Unix(), "nonce": hex.EncodeToString(nonce)}
	signed := Data{}
	for name, value := range parameters {
		if value != nil && value != "" {
			signed[name] = value
		}
	}
	signed = merged(signed, common)
	text, err := StringToSign(path, signed)
	if err != nil {
		return nil, err
	}
	signed["signature"] = Sign(client.apiSecret, text)
	body, err := CanonicalJSON(signed)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, client.baseURL+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "orderdesk-go/1")
	response, err := client.HTTP.Do(request)
	if err != nil {
		return nil, &NoAnswer{Cause: err}
	}
	defer response.Body.Close()
	var envelope struct {
		Code *Code
		Msg  string
		Data json.RawMessage
	}
	if err := json.NewDecoder(response.Body).Decode(&envelope); err != nil || envelope.Code == nil {
		text := fmt.Sprintf("%s: the answer (%s) is not orderdesk's", path, response.Status)
		if response.StatusCode/100 == 4 { // a gateway refused it; the service never saw it
			return nil, &Refused{Message: text, Data: Data{}, HTTPStatus: response.StatusCode}
		}
		return nil, &NoAnswer{Cause: errors.New(text)}
	}
	if *envelope.Code == 1 {
		return envelope.Data, nil
	}
	details, err := decoded[Data](envelope.Data)
	if err != nil {
		return nil, &NoAnswer{Cause: err}
	}
	after, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	return nil, &Refused{
		Code: *envelope.Code, Message: envelope.Msg, Data: *details, HTTPStatus: response.StatusCode,
		RequestID: response.Header.Get("x-request-id"), RetryAfter: time.Duration(after) * time.Second,
	}
}

// decoded reads a response's data. Absent data and null are the zero value; a Data is never nil.
func decoded[Answer any](data json.RawMessage) (*Answer, error) {
	answer := new(Answer)
	if len(data) == 0 || string(data) == "null" {
		data = json.RawMessage("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(answer); err != nil {
		return nil, fmt.Errorf("orderdesk: unexpected data: %w", err)
	}
	return answer, nil
}

// parametersOf returns the fields of a struct of parameters without its zero values.
func parametersOf(options any) Data {
	found := Data{}
	fields := reflect.ValueOf(options)
	for index := 0; index < fields.NumField(); index++ {
		if value := fields.Field(index); !value.IsZero() {
			name, _, _ := strings.Cut(fields.Type().Field(index).Tag.Get("json"), ",")
			found[name] = reflect.Indirect(value).Interface()
		}
	}
	return found
}

// StringToSign returns the string to sign. The path begins at /merchant or /test, after the base URL.
func StringToSign(path string, parameters Data) (string, error) {
	lines := []string{"POST " + path}
	for _, name := range sortedNames(parameters, byteOrder) {
		value := parameters[name]
		if name == "signature" || value == nil || value == "" {
			continue
		}
		text, isText := value.(string)
		if !isText {
			var err error
			if text, err = CanonicalJSON(value); err != nil {
				return "", err
			}
		}
		lines = append(lines, name+"="+text)
	}
	return strings.Join(lines, "\n"), nil
}

// Sign returns the signature of a string to sign.
func Sign(apiSecret, text string) string {
	return hex.EncodeToString(digest([]byte(apiSecret), text))
}

// CanonicalJSON returns canonical JSON (RFC 8785). encoding/json does not: it escapes <, >, & and
// U+2028. A float is an error, because it would change amounts.
func CanonicalJSON(value any) (string, error) {
	switch value := value.(type) {
	case nil:
		return "null", nil
	case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, json.Number:
		return fmt.Sprint(value), nil
	case string:
		return quoted(value)
	case []any:
		items := make([]string, len(value))
		for index, inner := range value {
			item, err := CanonicalJSON(inner)
			if err != nil {
				return "", err
			}
			items[index] = item
		}
		return "[" + strings.Join(items, ",") + "]", nil
	case map[string]any:
		return CanonicalJSON(Data(value))
	case map[string]string:
		members := Data{}
		for name, text := range value {
			members[name] = text
		}
		return CanonicalJSON(members)
	case Data:
		members := make([]string, 0, len(value))
		for _, name := range sortedNames(value, utf16Order) {
			left, err := quoted(name)
			if err != nil {
				return "", err
			}
			right, err := CanonicalJSON(value[name])
			if err != nil {
				return "", err
			}
			members = append(members, left+":"+right)
		}
		return "{" + strings.Join(members, ",") + "}", nil
	}
	return "", fmt.Errorf("orderdesk: a %T cannot be sent; write amounts as text: \"100.50\"", value)
}

// VerifyCallback returns the event of an authentic, fresh callback, or ErrInvalidCallback: respond
// with 400. The body is the raw request body.
func VerifyCallback(callbackSecret string, header http.Header, body []byte) (*Event, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(callbackSecret, "whsec_"))
	if err != nil || len(key) == 0 {
		return nil, fmt.Errorf("%w: the secret is not whsec_ and base64", ErrInvalidCallback)
	}
	timestamp := header.Get("webhook-timestamp")
	signed := header.Get("webhook-id") + "." + timestamp + "." + string(body)
	wanted := []byte("v1," + base64.StdEncoding.EncodeToString(digest(key, signed)))
	isAuthentic := false
	// During a rotation of the secret there are two signatures; one matches this secret.
	for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
		isAuthentic = isAuthentic || hmac.Equal([]byte(given), wanted)
	}
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if !isAuthentic || err != nil {
		return nil, fmt.Errorf("%w: no signature matches this secret", ErrInvalidCallback)
	}
	if math.Abs(time.Since(time.Unix(sent, 0)).Seconds()) > callbackTolerance.Seconds() {
		return nil, fmt.Errorf("%w: the timestamp differs too much from this machine's clock", ErrInvalidCallback)
	}
	return decoded[Event](body)
}

func digest(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

func merged(parts ...Data) Data {
	whole := Data{}
	for _, part := range parts {
		for name, value := range part {
			whole[name] = value
		}
	}
	return whole
}

func sortedNames(members Data, order func(string) string) []string {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool { return order(names[i]) < order(names[j]) })
	return names
}

func byteOrder(name string) string { return name }

var privateLast = strings.NewReplacer("\xee", "\xfe", "\xef", "\xff")

// utf16Order returns text whose bytes sort like the UTF-16 code units of a name, as RFC 8785
// requires: like UTF-8, except that U+E000 to U+FFFF come last.
func utf16Order(name string) string { return privateLast.Replace(name) }

// unescape reverts escapes of encoding/json that RFC 8785 forbids. The first pair skips backslashes.
var unescape = strings.NewReplacer(
	`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029", `\u0008`, `\b`, `\u000c`, `\f`)

func quoted(text string) (string, error) {
	if !utf8.ValidString(text) {
		return "", errors.New("orderdesk: text that is not UTF-8 cannot be sent")
	}
	var encoded strings.Builder
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(text)
	return unescape.Replace(strings.TrimSuffix(encoded.String(), "\n")), err
}

// waitBeforeRetry returns the pause before the next attempt, and whether there is one.
func waitBeforeRetry(err error, attempt int) (time.Duration, bool) {
	backoff := time.Duration((0.5 + mathrand.Float64()/2) * float64(100*time.Millisecond<<attempt))
	var noAnswer *NoAnswer
	if errors.As(err, &noAnswer) {
		return backoff, true
	}
	var refused *Refused
	if !errors.As(err, &refused) {
		return 0, false
	}
	switch refused.Code {
	case ErrTooManyRequests, ErrInternalError, ErrTryAgain:
		if refused.RetryAfter > 0 {
			return refused.RetryAfter, refused.RetryAfter <= waitMax
		}
		return backoff, true
	}
	return 0, false
}
