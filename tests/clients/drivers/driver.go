// Runs the requests of standard input with the client and prints the answers, both as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"driver/orderdesk"
)

type request struct {
	Do         string
	Path       string
	Body       string
	APISecret  string `json:"api_secret"`
	APIKey     string `json:"api_key"`
	BaseURL    string `json:"base_url"`
	Test       bool
	TimeoutSec float64 `json:"timeout_seconds"`
	Method     string
	Arguments  []string
	Secret     string
	Headers    map[string]string
}

func main() {
	var requests []request
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		log.Fatal(err)
	}
	answers := []any{}
	for _, each := range requests {
		answer, err := do(each)
		if err != nil {
			answer = map[string]any{"error": err.Error()}
		}
		answers = append(answers, answer)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		log.Fatal(err)
	}
}

func do(asked request) (any, error) {
	switch asked.Do {
	case "sign":
		body, err := read[orderdesk.Data](asked.Body)
		if err != nil {
			return nil, err
		}
		text, err := orderdesk.StringToSign(asked.Path, body)
		return orderdesk.Data{"string_to_sign": text, "signature": orderdesk.Sign(asked.APISecret, text)}, err
	case "verify":
		header := http.Header{}
		for name, value := range asked.Headers {
			header.Set(name, value)
		}
		event, err := orderdesk.VerifyCallback(asked.Secret, header, []byte(asked.Body))
		if errors.Is(err, orderdesk.ErrInvalidCallback) {
			return orderdesk.Data{"invalid": err.Error()}, nil
		}
		return orderdesk.Data{"event": event}, err
	}
	data, err := call(asked)
	var refused *orderdesk.Refused
	var noAnswer *orderdesk.NoAnswer
	switch {
	case errors.As(err, &refused):
		if !errors.Is(err, refused.Code) {
			log.Fatal("errors.Is does not find the code")
		}
		return orderdesk.Data{"refused": orderdesk.Data{
			"code":                refused.Code,
			"error":               refused.Error(),
			"text":                refused.Message,
			"data":                refused.Data,
			"http_status":         refused.HTTPStatus,
			"request_id":          refused.RequestID,
			"retry_after_seconds": int(refused.RetryAfter / time.Second),
			"after_lost_attempt":  refused.AfterLostAttempt,
		}}, nil
	case errors.As(err, &noAnswer):
		return orderdesk.Data{"no_answer": true, "after_lost_attempt": noAnswer.AfterLostAttempt}, nil
	}
	return orderdesk.Data{"data": data}, err
}

func call(asked request) (any, error) {
	ctx := context.Background()
	client, err := orderdesk.New(asked.BaseURL, asked.APIKey, asked.APISecret)
	if err != nil {
		return nil, err
	}
	client.Test = asked.Test
	client.HTTP.Timeout = time.Duration(asked.TimeoutSec * float64(time.Second))
	given := asked.Arguments
	switch asked.Method {
	case "create_buy":
		return with(given[2], func(options orderdesk.BuyOptions) (any, error) {
			return client.CreateBuy(ctx, text(given[0]), text(given[1]), options)
		})
	case "create_sell":
		return with(given[2], func(method orderdesk.PaymentMethod) (any, error) {
			return client.CreateSell(ctx, text(given[0]), text(given[1]), method, orderdesk.SellOptions{})
		})
	case "create_or_get":
		return with(given[2], func(options orderdesk.BuyOptions) (any, error) {
			return client.CreateOrGet(ctx, text(given[0]), text(given[1]), options)
		})
	case "quote":
		return with(given[2], func(options orderdesk.QuoteOptions) (any, error) {
			return with(given[0], func(orderType int) (any, error) {
				return client.Quote(ctx, orderType, text(given[1]), options)
			})
		})
	case "agreement":
		return client.Agreement(ctx)
	case "list_events":
		return with(given[0], func(filters orderdesk.EventFilters) (any, error) {
			return client.ListEvents(ctx, filters)
		})
	case "list_withdrawals":
		return with(given[0], func(filters orderdesk.WithdrawalFilters) (any, error) {
			return client.ListWithdrawals(ctx, filters)
		})
	case "query_order":
		return with(given[0], func(number orderdesk.AnyNumber) (any, error) {
			return client.QueryOrder(ctx, number)
		})
	case "list_orders":
		return with(given[0], func(filters orderdesk.OrderFilters) (any, error) {
			return client.ListOrders(ctx, filters)
		})
	case "cancel_order":
		return with(given[0], func(number orderdesk.OrderNumber) (any, error) {
			return client.CancelOrder(ctx, number)
		})
	case "dispute_order":
		return with(given[0], func(number orderdesk.OrderNumber) (any, error) {
			return client.DisputeOrder(ctx, number)
		})
	case "list_callbacks":
		return with(given[0], func(filters orderdesk.CallbackFilters) (any, error) {
			return client.ListCallbacks(ctx, filters)
		})
	case "redeliver_callback":
		return client.RedeliverCallback(ctx, text(given[0]))
	case "advance_order":
		return with(given[1], func(number orderdesk.AnyNumber) (any, error) {
			return client.AdvanceOrder(ctx, text(given[0]), number)
		})
	case "statement":
		return with(given[0], func(filters orderdesk.StatementFilters) (any, error) {
			return client.Statement(ctx, filters)
		})
	case "balance":
		return client.Balance(ctx)
	}
	return with(given[1], func(parameters orderdesk.Data) (any, error) {
		return client.Call(ctx, text(given[0]), parameters)
	})
}

func with[Parameters any](written string, call func(Parameters) (any, error)) (any, error) {
	parameters, err := read[Parameters](written)
	if err != nil {
		return nil, err
	}
	return call(parameters)
}

func text(written string) string {
	value, err := read[string](written)
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func read[Value any](written string) (Value, error) {
	decoder := json.NewDecoder(strings.NewReader(written))
	decoder.UseNumber()
	var value Value
	err := decoder.Decode(&value)
	return value, err
}
