// Express 5
import express from "express";
import { InvalidCallback, verifyCallback } from "orderdesk-client";
import { handle } from "./shop.mjs";

const app = express();

// Declare it before app.use(express.json()), which would consume the bytes.
app.post("/callbacks", express.raw({ type: "application/json" }), async (request, response) => {
  let event;
  try {
    event = verifyCallback(process.env.ORDERDESK_CALLBACK_SECRET, request.headers, request.body);
  } catch (error) {
    if (!(error instanceof InvalidCallback)) throw error;
    response.sendStatus(400);
    return;
  }
  await handle(request.headers["webhook-id"], event);
  response.sendStatus(204);
});

app.listen(Number(process.env.PORT ?? 3000));
