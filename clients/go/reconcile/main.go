// Compare the test account's statement with its balance; exit 1 if they differ.
package main

import (
	"context"
	"fmt"
	"log"
	"math/big"
	"os"

	"orderdesk"
)

func main() {
	client := must(orderdesk.New(
		os.Getenv("ORDERDESK_BASE_URL"), os.Getenv("ORDERDESK_API_KEY"), os.Getenv("ORDERDESK_API_SECRET")))
	last := new(big.Rat)
	filters := orderdesk.StatementFilters{IsTest: orderdesk.Int(1), Limit: 100}
	for next := true; next; next = filters.Cursor != "" {
		page := must(client.Statement(context.Background(), filters))
		for _, posting := range page.Postings {
			if posting.Account == "available" {
				last.SetString(posting.Balance)
			}
		}
		filters.Cursor = page.Cursor
	}
	balance := must(client.Balance(context.Background())).Test
	available, _ := new(big.Rat).SetString(balance.Available)
	held, _ := new(big.Rat).SetString(balance.Held) // a hold has no posting
	total := new(big.Rat).Add(available, held)
	fmt.Println("statement", last.FloatString(6), "balance", total.FloatString(6))
	if last.Cmp(total) != 0 {
		os.Exit(1)
	}
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
