// Create a buy and a sell in test mode: go run ./example, with the keys in the environment.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"orderdesk"
)

func main() {
	ctx := context.Background()
	client := orderdesk.New(
		os.Getenv("ORDERDESK_BASE_URL"), os.Getenv("ORDERDESK_API_KEY"), os.Getenv("ORDERDESK_API_SECRET"))
	client.Test = true // without it, orders are live
	// The URL of your receiver of callbacks, if you have one.
	callbackURL := os.Getenv("ORDERDESK_CALLBACK_URL")
	number := fmt.Sprintf("example-go-%d", time.Now().UnixNano()) // your own number of the order

	more := orderdesk.Data{"method_type": "bank", "callback_url": callbackURL}
	buy, err := client.CreateBuy(ctx, number+"-1", "100.00", more)
	var noAnswer *orderdesk.NoAnswer
	switch {
	case errors.Is(err, orderdesk.NoTraderAvailable):
		log.Fatal("no trader is available: offer another way to pay")
	case errors.As(err, &noAnswer):
		log.Fatal("result unknown: query the order later by merchant_order_no")
	case err != nil:
		log.Fatal(err)
	case buy["result_status"] == "success":
		fmt.Println("buy", buy["order_no"], "pay at", buy["pay_url"])
	default:
		fmt.Println("draft", buy["pending_no"], "verify at", buy["identity_url"])
	}

	_, err = client.CreateBuy(ctx, number+"-1", "100.00", nil)
	var refused *orderdesk.Refused
	if errors.As(err, &refused) {
		fmt.Println("again", int(refused.Code), refused.Data["order_no"])
	}

	order := must(client.QueryOrder(ctx, orderdesk.Data{"merchant_order_no": number + "-1"}))
	fmt.Println("query", order["order_no"], order["status"], order["merchant_actual_amount"], "USDT")
	bought := orderdesk.Data{"order_no": order["order_no"]}
	done := must(client.AdvanceOrder(ctx, "completed", bought)) // acts as the trader
	fmt.Println("advance", done["status"])
	balance := must(client.Balance(ctx))
	fmt.Println("balance", balance["test"].(map[string]any)["available"])

	customer := orderdesk.Data{
		"method_type": "bank",
		"real_name":   "张三",
		"bank":        "中国银行",
		"sub_bank":    "深圳分行",
		"card_number": "6200000000000000017",
	}
	sell := must(client.CreateSell(ctx, number+"-2", "50.00", customer, orderdesk.Data{"callback_url": callbackURL}))
	fmt.Println("sell", sell["order_no"], sell["status"], sell["merchant_actual_amount"], "USDT")
	cancelled := must(client.CancelOrder(ctx, orderdesk.Data{"merchant_order_no": number + "-2"}))
	fmt.Println("cancel", cancelled["status"])

	page := must(client.ListOrders(ctx, orderdesk.Data{"is_test": 1, "limit": 2}))
	for _, each := range page["orders"].([]any) {
		fmt.Println("list", each.(map[string]any)["merchant_order_no"])
	}
	sent := must(client.ListCallbacks(ctx, bought))
	fmt.Println("callbacks", len(sent["callbacks"].([]any)))
	statement := must(client.Statement(ctx, orderdesk.Data{"is_test": 1, "limit": 10}))
	fmt.Println("statement", len(statement["postings"].([]any)), "postings")
}

func must(data orderdesk.Data, err error) orderdesk.Data {
	if err != nil {
		log.Fatal(err)
	}
	return data
}
