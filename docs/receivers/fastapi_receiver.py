import os

from fastapi import FastAPI, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from shop import handle

from orderdesk_client import InvalidCallback, verify_callback

app = FastAPI()


@app.post("/callbacks", status_code=204)
async def receive(request: Request) -> None:
    body = await request.body()  # the bytes as received, not a model
    try:
        event = verify_callback(os.environ["ORDERDESK_CALLBACK_SECRET"], request.headers, body)
    except InvalidCallback as refused:
        raise HTTPException(400) from refused
    await run_in_threadpool(handle, request.headers["webhook-id"], event)
