// Receive callbacks: go run ./receiver, with PORT and ORDERDESK_CALLBACK_SECRET set.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"orderdesk"
)

func main() {
	http.HandleFunc("/", receive)
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening")
	log.Fatal(http.Serve(listener, nil))
}

func receive(answer http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	event, err := orderdesk.VerifyCallback(os.Getenv("ORDERDESK_CALLBACK_SECRET"), request.Header, body)
	switch {
	case errors.Is(err, orderdesk.ErrInvalidCallback):
		fmt.Println("refused:", err)
		answer.WriteHeader(http.StatusBadRequest)
	case err != nil:
		log.Print(err)
		answer.WriteHeader(http.StatusInternalServerError)
	default:
		// Store the webhook-id: a callback may be delivered twice. Order events by sequence.
		number := event.Data.OrderNo
		if number == "" {
			number = event.Data.PendingNo
		}
		fmt.Println(event.Type, number, event.Data.Sequence)
		answer.WriteHeader(http.StatusNoContent)
	}
}
