package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	openapi "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func read[T any](text string) T {
	var value T
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		panic(err)
	}
	return value
}

func must[T any](value T, _ any, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	settings := openapi.NewConfiguration()
	settings.Servers = openapi.ServerConfigurations{{URL: os.Args[1]}}
	client, ctx := openapi.NewAPIClient(settings), context.Background()
	asked := read[openapi.TestCreateOrderRequest](os.Args[2])
	must(client.TestAPI.TestCreateOrder(ctx).TestCreateOrderRequest(asked).Execute())
	number := read[openapi.AnyNumber](os.Args[3])
	order := must(client.MerchantAPI.QueryOrder(ctx).AnyNumber(number).Execute()).Data.BuyOrder
	listing := read[openapi.OrderListing](os.Args[4])
	page := must(client.MerchantAPI.ListOrders(ctx).OrderListing(listing).Execute()).Data
	fmt.Println(order.OrderNo, order.OrderId, len(page.Orders))
}
