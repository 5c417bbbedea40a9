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
	answers := []orderdesk.Data{}
	for _, each := range requests {
		answer, err := do(each)
		if err != nil {
			answer = orderdesk.Data{"error": err.Error()}
		}
		answers = append(answers, answer)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		log.Fatal(err)
	}
}

func do(asked request) (orderdesk.Data, error) {
	switch asked.Do {
	case "sign":
		text, err := orderdesk.StringToSign(asked.Path, object(asked.Body))
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
		return orderdesk.Data{"no_answer": true}, nil
	}
	return orderdesk.Data{"data": data}, err
}

func call(asked request) (orderdesk.Data, error) {
	ctx := context.Background()
	client := orderdesk.New(asked.BaseURL, asked.APIKey, asked.APISecret)
	client.Test = asked.Test
	client.HTTP.Timeout = time.Duration(asked.TimeoutSec * float64(time.Second))
	given := asked.Arguments
	switch asked.Method {
	case "create_buy":
		return client.CreateBuy(ctx, text(given[0]), text(given[1]), object(given[2]))
	case "create_sell":
		return client.CreateSell(ctx, text(given[0]), text(given[1]), object(given[2]), object(given[3]))
	case "query_order":
		return client.QueryOrder(ctx, object(given[0]))
	case "list_orders":
		return client.ListOrders(ctx, object(given[0]))
	case "cancel_order":
		return client.CancelOrder(ctx, object(given[0]))
	case "dispute_order":
		return client.DisputeOrder(ctx, object(given[0]))
	case "list_callbacks":
		return client.ListCallbacks(ctx, object(given[0]))
	case "redeliver_callback":
		return client.RedeliverCallback(ctx, text(given[0]))
	case "advance_order":
		return client.AdvanceOrder(ctx, text(given[0]), object(given[1]))
	case "statement":
		return client.Statement(ctx, object(given[0]))
	case "balance":
		return client.Balance(ctx)
	}
	return client.Call(ctx, text(given[0]), object(given[1]))
}

func text(written string) string {
	var read string
	if err := json.Unmarshal([]byte(written), &read); err != nil {
		log.Fatal(err)
	}
	return read
}

func object(written string) orderdesk.Data {
	decoder := json.NewDecoder(strings.NewReader(written))
	decoder.UseNumber()
	var read orderdesk.Data
	if err := decoder.Decode(&read); err != nil {
		log.Fatal(err)
	}
	return read
}
