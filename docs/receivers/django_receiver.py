import os

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from shop import handle

from orderdesk_client import InvalidCallback, verify_callback


@csrf_exempt
@require_POST
def receive(request: HttpRequest) -> HttpResponse:
    secret = os.environ["ORDERDESK_CALLBACK_SECRET"]
    try:
        event = verify_callback(secret, request.headers, request.body)
    except InvalidCallback:
        return HttpResponse(status=400)
    handle(request.headers["webhook-id"], event)
    return HttpResponse(status=204)
