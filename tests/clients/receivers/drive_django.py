"""Post the callbacks of standard input to the receiver; print statuses and what was handled."""

import json
import sys

from django.conf import settings
from django.test import Client
from django.urls import path

settings.configure(
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["testserver"],
    MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"],
)

import shop  # noqa: E402

import receiver  # noqa: E402 - needs the settings

urlpatterns = [path("callbacks", receiver.receive)]
client = Client(enforce_csrf_checks=True)
statuses = [
    client.post("/callbacks", body.encode(), "application/json", headers=headers).status_code
    for headers, body in json.load(sys.stdin)
]
print(json.dumps([statuses, shop.HANDLED]))
