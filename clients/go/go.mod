module orderdesk

go 1.19
