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
	client := orderdesk.New(
		os.Getenv("ORDERDESK_BASE_URL"), os.Getenv("ORDERDESK_API_KEY"), os.Getenv("ORDERDESK_API_SECRET"))
	last := new(big.Rat)
	filters := orderdesk.Data{"is_test": 1, "limit": 100}
	for next := true; next; next = filters["cursor"] != nil {
		page := must(client.Statement(context.Background(), filters))
		for _, each := range page["postings"].([]any) {
			if posting := each.(map[string]any); posting["account"] == "available" {
				last.SetString(posting["balance"].(string))
			}
		}
		filters["cursor"] = page["cursor"]
	}
	balance := must(client.Balance(context.Background()))["test"].(map[string]any)
	available, _ := new(big.Rat).SetString(balance["available"].(string))
	held, _ := new(big.Rat).SetString(balance["held"].(string)) // a hold has no posting
	total := new(big.Rat).Add(available, held)
	fmt.Println("statement", last.FloatString(6), "balance", total.FloatString(6))
	if last.Cmp(total) != 0 {
		os.Exit(1)
	}
}

func must(data orderdesk.Data, err error) orderdesk.Data {
	if err != nil {
		log.Fatal(err)
	}
	return data
}
