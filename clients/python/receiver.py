"""Receive callbacks: python receiver.py, with PORT and ORDERDESK_CALLBACK_SECRET set."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from orderdesk_client import InvalidCallback, verify_callback

SECRET = os.environ["ORDERDESK_CALLBACK_SECRET"]


class Receiver(BaseHTTPRequestHandler):
    """Respond with 204 to an authentic callback, 400 to any other."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = verify_callback(SECRET, dict(self.headers.items()), body)
        except InvalidCallback as error:
            print("refused:", error, flush=True)
            status = 400
        else:
            # Store the webhook-id: a callback may be delivered twice. Order events by `sequence`.
            data = event["data"]
            number = data.get("order_no", data.get("pending_no"))
            print(event["type"], number, data.get("sequence"), flush=True)
            status = 204
        self.send_response(status)
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver)
print("listening", flush=True)
server.serve_forever()
