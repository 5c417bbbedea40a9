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
	client := must(orderdesk.New(
		os.Getenv("ORDERDESK_BASE_URL"), os.Getenv("ORDERDESK_API_KEY"), os.Getenv("ORDERDESK_API_SECRET")))
	client.Test = true // without it, orders are live
	// The URL of your receiver of callbacks, if you have one.
	callbackURL := os.Getenv("ORDERDESK_CALLBACK_URL")
	number := fmt.Sprintf("example-go-%d", time.Now().UnixNano()) // your own number of the order

	terms := must(client.Agreement(ctx))
	fmt.Println("agreement", terms.MinCNY, "to", terms.MaxCNY, "CNY")
	quote := must(client.Quote(ctx, 1, "100.00", orderdesk.QuoteOptions{MethodType: "bank"})) // of a buy; stores nothing
	fmt.Println("quote", quote.MerchantActualAmount, "USDT, a trader fits:", *quote.WouldMatch)

	options := orderdesk.BuyOptions{
		MethodType:  "bank",
		Metadata:    map[string]string{"cart": "77"}, // comes back in answers and callbacks
		CallbackURL: callbackURL,
	}
	buy, err := client.CreateBuy(ctx, number+"-1", "100.00", options)
	var noAnswer *orderdesk.NoAnswer
	switch {
	case errors.Is(err, orderdesk.ErrNoTraderAvailable):
		log.Fatal("no trader is available: offer another way to pay")
	case errors.As(err, &noAnswer):
		log.Fatal("result unknown: query the order later by merchant_order_no")
	case err != nil:
		log.Fatal(err)
	case buy.ResultStatus == "success":
		fmt.Println("buy", buy.OrderNo, "pay at", buy.PayURL)
	default:
		fmt.Println("draft", buy.PendingNo, "verify at", buy.IdentityURL)
	}

	_, err = client.CreateBuy(ctx, number+"-1", "100.00", orderdesk.BuyOptions{})
	var refused *orderdesk.Refused
	if errors.As(err, &refused) {
		fmt.Println("again", int(refused.Code), refused.Data["order_no"])
	}

	order := must(client.QueryOrder(ctx, orderdesk.AnyNumber{MerchantOrderNo: number + "-1"}))
	fmt.Println("query", order.OrderNo, order.Status, order.MerchantActualAmount, "USDT")
	bought := orderdesk.AnyNumber{OrderNo: order.OrderNo}
	done := must(client.AdvanceOrder(ctx, "completed", bought)) // acts as the trader
	fmt.Println("advance", done.Status)
	same := must(client.CreateOrGet(ctx, number+"-1", "100.00", orderdesk.BuyOptions{MethodType: "bank"}))
	fmt.Println("same", same.OrderNo, same.Status) // the first one, as it is now
	fmt.Println("balance", must(client.Balance(ctx)).Test.Available)

	customer := orderdesk.PaymentMethod{
		MethodType: "bank",
		RealName:   "张三",
		Bank:       "中国银行",
		SubBank:    "深圳分行",
		CardNumber: "6200000000000000017",
	}
	// Of a completed buy, up to what it may still refund.
	selling := orderdesk.SellOptions{RefundOf: order.OrderNo, CallbackURL: callbackURL}
	sell := must(client.CreateSell(ctx, number+"-2", "50.00", customer, selling))
	fmt.Println("sell", sell.OrderNo, sell.Status, sell.MerchantActualAmount, "USDT")
	cancelled := must(client.CancelOrder(ctx, orderdesk.OrderNumber{MerchantOrderNo: number + "-2"}))
	fmt.Println("cancel", cancelled.Status)

	page := must(client.ListOrders(ctx, orderdesk.OrderFilters{IsTest: orderdesk.Int(1), Limit: 2}))
	for _, each := range page.Orders {
		fmt.Println("list", each.MerchantOrderNo)
	}
	sent := must(client.ListCallbacks(ctx, orderdesk.CallbackFilters{OrderNo: order.OrderNo}))
	for _, each := range sent.Callbacks {
		fmt.Println("callback", each.Type, each.Status)
	}
	events := must(client.ListEvents(ctx, orderdesk.EventFilters{OrderNo: order.OrderNo})) // without an address, too
	for _, each := range events.Events {
		fmt.Println("event", each.Type, each.EventID)
	}
	statement := must(client.Statement(ctx, orderdesk.StatementFilters{IsTest: orderdesk.Int(1), Limit: 10}))
	fmt.Println("statement", len(statement.Postings), "postings")
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
