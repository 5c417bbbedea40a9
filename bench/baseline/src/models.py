"""The API's request and answers."""

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, HttpUrl, PlainSerializer, model_validator

type MethodType = Literal["bank", "wechat", "alipay"]
type Text = Annotated[str, Field(max_length=255)]


def fixed(places: int) -> PlainSerializer:
    """Serialise a Decimal as a string with a fixed number of places."""
    return PlainSerializer(lambda amount: f"{amount:.{places}f}", return_type=str)


type Cny = Annotated[Decimal, fixed(2)]
type Usdt = Annotated[Decimal, fixed(6)]
type Rate = Annotated[Decimal, fixed(4)]


class CreateOrder(BaseModel):
    """The body of createOrder, for a buy."""

    api_key: str
    timestamp: int
    nonce: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8,64}$")]
    signature: str
    order_type: Annotated[int, Field(ge=1, le=1)]  # 1 is a buy; this service makes no sells
    cny_amount: Annotated[Decimal, Field(gt=0, max_digits=17, decimal_places=2)]
    method_type: MethodType = "bank"
    merchant_order_no: Text | None = None
    callback_url: Annotated[HttpUrl, Field(max_length=255)] | None = None
    remark: Text | None = None
    is_test: Annotated[int, Field(ge=0, le=1)] | None = None
    customer_name: Text | None = None
    id_card: Annotated[str, Field(min_length=18, max_length=18)] | None = None
    mobile: Annotated[str, Field(min_length=11, max_length=11)] | None = None

    @model_validator(mode="before")
    @classmethod
    def leave_out_absent(cls, sent: Any) -> Any:
        """Drop null and "", which count as not sent."""
        if not isinstance(sent, dict):
            return sent
        return {name: value for name, value in sent.items() if value is not None and value != ""}


class PaymentMethod(BaseModel):
    """The trader's receiving method; fields that do not apply are empty."""

    method_type: MethodType
    bank: str = ""
    sub_bank: str = ""
    card_number: str = ""
    account: str = ""
    qr_code: str = ""
    real_name: str

    def masked(self) -> "PaymentMethod":
        """Show the last four digits of the card only."""
        hidden = max(len(self.card_number) - 4, 0)
        shown = "*" * hidden + self.card_number[hidden:]
        return self.model_copy(update={"card_number": shown})


class BuyCreated(BaseModel):
    """The data of a created order."""

    result_status: Literal["success"] = "success"
    order_no: str
    merchant_order_no: str | None
    status: Literal["pending"] = "pending"
    order_type: Literal[1] = 1
    cny_amount: Cny
    rate: Rate
    payment_method: PaymentMethod
    merchant_amount: Usdt
    deposit_amount: Usdt
    service_amount: Usdt
    merchant_actual_amount: Usdt
    createtime: int
    pay_url: str


class Answer(BaseModel):
    """The envelope of every answer."""

    code: int = 1
    msg: str = "success"
    data: BuyCreated
    time: int
