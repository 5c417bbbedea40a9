# --8<-- [start:call]
import hashlib
import hmac
import json
import secrets
import time
import urllib.error
import urllib.request

BASE_URL = "http://localhost:4566/…"  # the base URL you were given
API_KEY, API_SECRET = "mk_…", "sk_…"


def signed_text(value):
    if isinstance(value, (dict, list)):  # keys sorted, no spaces, nothing but strings inside
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return json.dumps(value) if isinstance(value, bool) else str(value)


def sign(secret, path, params):
    names = sorted(n for n in params if n != "signature" and params[n] not in (None, ""))
    text = "\n".join([f"POST {path}"] + [f"{n}={signed_text(params[n])}" for n in names])
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def call(path, **params):
    params |= {"api_key": API_KEY, "timestamp": int(time.time()), "nonce": secrets.token_hex(12)}
    params["signature"] = sign(API_SECRET, path, params)
    body, headers = json.dumps(params).encode(), {"Content-Type": "application/json"}
    try:
        return json.load(
            urllib.request.urlopen(urllib.request.Request(BASE_URL + path, body, headers))
        )
    except urllib.error.HTTPError as refusal:  # a refusal is an answer too
        return json.load(refusal)


# --8<-- [end:call]


# --8<-- [start:order]
if __name__ == "__main__":
    print(
        call("/test/createOrder", order_type=1, cny_amount="1000.00", merchant_order_no="first-1")
    )
# --8<-- [end:order]


# --8<-- [start:verify]
import base64


def verified(secret, headers, body):
    """Give the event of a callback, or None. `headers` have lower-case names, `body` is bytes."""
    sent = headers["webhook-timestamp"]
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = b".".join([headers["webhook-id"].encode(), sent.encode(), body])
    own = b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256"))
    given = headers["webhook-signature"].encode().split(b" ")  # two while a secret rotates
    fresh = abs(time.time() - int(sent)) <= 300
    return (
        json.loads(body)
        if fresh and any(hmac.compare_digest(own, each) for each in given)
        else None
    )


# --8<-- [end:verify]
