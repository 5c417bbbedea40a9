module example.com/orderdesk

go 1.19
