// Receive callbacks: node receiver.mjs, with PORT and ORDERDESK_CALLBACK_SECRET set.
import { createServer } from "node:http";
import { InvalidCallback, verifyCallback } from "orderdesk-client";

const { PORT = "8080", ORDERDESK_CALLBACK_SECRET = "" } = process.env;

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const event = verifyCallback(ORDERDESK_CALLBACK_SECRET, request.headers, Buffer.concat(chunks));
    // Store the webhook-id: a callback may be delivered twice. Order events by `sequence`.
    console.log(event.type, event.data.order_no ?? event.data.pending_no, event.data.sequence);
    response.writeHead(204).end();
  } catch (error) {
    console.log("refused:", error instanceof InvalidCallback ? error.message : error);
    response.writeHead(error instanceof InvalidCallback ? 400 : 500).end();
  }
});
server.listen(Number(PORT), "127.0.0.1", () => console.log("listening"));
