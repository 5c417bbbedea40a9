// SPDX-License-Identifier: Apache-2.0
// Written by `make openapi` from docs/openapi.yaml.
package orderdesk;

import java.util.List;
import java.util.Map;

/** Parameters and answers. An absent value is null, or 0 for a whole number. */
public final class Api {
    private Api() {}

    /** A customer's method: the fields of a bank account, or those of a wallet. */
    public static final class PaymentMethod extends Parameters {
        public PaymentMethod methodType(String value) {
            put("method_type", value);
            return this;
        }

        public PaymentMethod realName(String value) {
            put("real_name", value);
            return this;
        }

        public PaymentMethod bank(String value) {
            put("bank", value);
            return this;
        }

        public PaymentMethod subBank(String value) {
            put("sub_bank", value);
            return this;
        }

        public PaymentMethod cardNumber(String value) {
            put("card_number", value);
            return this;
        }

        public PaymentMethod account(String value) {
            put("account", value);
            return this;
        }

        public PaymentMethod qrCode(String value) {
            put("qr_code", value);
            return this;
        }
    }

    /** The optional parameters of a buy. */
    public static final class BuyOptions extends Parameters {
        public BuyOptions callbackUrl(String value) {
            put("callback_url", value);
            return this;
        }

        public BuyOptions remark(String value) {
            put("remark", value);
            return this;
        }

        public BuyOptions returnUrl(String value) {
            put("return_url", value);
            return this;
        }

        public BuyOptions isTest(int value) {
            put("is_test", value);
            return this;
        }

        public BuyOptions methodType(String value) {
            put("method_type", value);
            return this;
        }

        public BuyOptions maxDiscount(String value) {
            put("max_discount", value);
            return this;
        }

        public BuyOptions customerName(String value) {
            put("customer_name", value);
            return this;
        }

        public BuyOptions idCard(String value) {
            put("id_card", value);
            return this;
        }

        public BuyOptions mobile(String value) {
            put("mobile", value);
            return this;
        }

        public BuyOptions metadata(Map<String, String> value) {
            put("metadata", value);
            return this;
        }
    }

    /** The optional parameters of a sell. */
    public static final class SellOptions extends Parameters {
        public SellOptions callbackUrl(String value) {
            put("callback_url", value);
            return this;
        }

        public SellOptions remark(String value) {
            put("remark", value);
            return this;
        }

        public SellOptions returnUrl(String value) {
            put("return_url", value);
            return this;
        }

        public SellOptions isTest(int value) {
            put("is_test", value);
            return this;
        }

        public SellOptions refundOf(String value) {
            put("refund_of", value);
            return this;
        }

        public SellOptions customerName(String value) {
            put("customer_name", value);
            return this;
        }

        public SellOptions idCard(String value) {
            put("id_card", value);
            return this;
        }

        public SellOptions mobile(String value) {
            put("mobile", value);
            return this;
        }

        public SellOptions metadata(Map<String, String> value) {
            put("metadata", value);
            return this;
        }
    }

    /** The number of an order: one of the fields. */
    public static final class OrderNumber extends Parameters {
        public OrderNumber merchantOrderNo(String value) {
            put("merchant_order_no", value);
            return this;
        }

        public OrderNumber orderNo(String value) {
            put("order_no", value);
            return this;
        }
    }

    /** The number of an order or a draft: one of the fields. */
    public static final class AnyNumber extends Parameters {
        public AnyNumber merchantOrderNo(String value) {
            put("merchant_order_no", value);
            return this;
        }

        public AnyNumber orderNo(String value) {
            put("order_no", value);
            return this;
        }

        public AnyNumber pendingNo(String value) {
            put("pending_no", value);
            return this;
        }
    }

    /** The filters of a list of orders. */
    public static final class OrderFilters extends Parameters {
        public OrderFilters status(String value) {
            put("status", value);
            return this;
        }

        public OrderFilters orderType(int value) {
            put("order_type", value);
            return this;
        }

        public OrderFilters isTest(int value) {
            put("is_test", value);
            return this;
        }

        public OrderFilters startTime(long value) {
            put("start_time", value);
            return this;
        }

        public OrderFilters endTime(long value) {
            put("end_time", value);
            return this;
        }

        public OrderFilters merchantOrderNo(String value) {
            put("merchant_order_no", value);
            return this;
        }

        public OrderFilters cnyAmount(String value) {
            put("cny_amount", value);
            return this;
        }

        public OrderFilters metadataKey(String value) {
            put("metadata_key", value);
            return this;
        }

        public OrderFilters metadataValue(String value) {
            put("metadata_value", value);
            return this;
        }

        public OrderFilters limit(int value) {
            put("limit", value);
            return this;
        }

        public OrderFilters cursor(String value) {
            put("cursor", value);
            return this;
        }
    }

    /** The filters of a statement. */
    public static final class StatementFilters extends Parameters {
        public StatementFilters isTest(int value) {
            put("is_test", value);
            return this;
        }

        public StatementFilters startTime(long value) {
            put("start_time", value);
            return this;
        }

        public StatementFilters endTime(long value) {
            put("end_time", value);
            return this;
        }

        public StatementFilters orderNo(String value) {
            put("order_no", value);
            return this;
        }

        public StatementFilters kind(String value) {
            put("kind", value);
            return this;
        }

        public StatementFilters limit(int value) {
            put("limit", value);
            return this;
        }

        public StatementFilters cursor(String value) {
            put("cursor", value);
            return this;
        }
    }

    /** The filters of a list of callbacks. */
    public static final class CallbackFilters extends Parameters {
        public CallbackFilters merchantOrderNo(String value) {
            put("merchant_order_no", value);
            return this;
        }

        public CallbackFilters orderNo(String value) {
            put("order_no", value);
            return this;
        }

        public CallbackFilters pendingNo(String value) {
            put("pending_no", value);
            return this;
        }

        public CallbackFilters type(String value) {
            put("type", value);
            return this;
        }

        public CallbackFilters startTime(long value) {
            put("start_time", value);
            return this;
        }

        public CallbackFilters endTime(long value) {
            put("end_time", value);
            return this;
        }

        public CallbackFilters limit(int value) {
            put("limit", value);
            return this;
        }

        public CallbackFilters cursor(String value) {
            put("cursor", value);
            return this;
        }

        public CallbackFilters status(String value) {
            put("status", value);
            return this;
        }
    }

    /** The filters of a list of events. */
    public static final class EventFilters extends Parameters {
        public EventFilters merchantOrderNo(String value) {
            put("merchant_order_no", value);
            return this;
        }

        public EventFilters orderNo(String value) {
            put("order_no", value);
            return this;
        }

        public EventFilters type(String value) {
            put("type", value);
            return this;
        }

        public EventFilters startTime(long value) {
            put("start_time", value);
            return this;
        }

        public EventFilters endTime(long value) {
            put("end_time", value);
            return this;
        }

        public EventFilters limit(int value) {
            put("limit", value);
            return this;
        }

        public EventFilters cursor(String value) {
            put("cursor", value);
            return this;
        }
    }

    /** The filters of a list of withdrawals. */
    public static final class WithdrawalFilters extends Parameters {
        public WithdrawalFilters isTest(int value) {
            put("is_test", value);
            return this;
        }

        public WithdrawalFilters limit(int value) {
            put("limit", value);
            return this;
        }

        public WithdrawalFilters cursor(String value) {
            put("cursor", value);
            return this;
        }
    }

    /** The optional parameters of a quote. */
    public static final class QuoteOptions extends Parameters {
        public QuoteOptions methodType(String value) {
            put("method_type", value);
            return this;
        }

        public QuoteOptions isTest(int value) {
            put("is_test", value);
            return this;
        }
    }

    /** The account to which the payer of a buy sends the money. */
    public record TraderMethod(
        String methodType,
        String bank,
        String subBank,
        String cardNumber,
        String account,
        String qrCode,
        String realName) {}

    /** The account to which a sell is paid. */
    public record CustomerMethod(
        String methodType,
        String bank,
        String subBank,
        String cardNumber,
        String account,
        String qrCode,
        String realName,
        String fullInfo) {}

    /** A change of an order's status. */
    public record TimelineEntry(
        String status,
        long time,
        String by) {}

    /** A sell that refunds a buy. */
    public record Refund(
        String orderNo,
        String cnyAmount) {}

    /** A buy, or a draft that waits for the customer's identity: see `result_status`. */
    public record CreatedBuy(
        String resultStatus,
        String orderNo,
        String merchantOrderNo,
        String status,
        int orderType,
        String cnyAmount,
        String rate,
        TraderMethod paymentMethod,
        String merchantAmount,
        String depositAmount,
        String serviceAmount,
        String merchantActualAmount,
        long createtime,
        String payUrl,
        String requestedCnyAmount,
        List<String> ignored,
        String pendingNo,
        String identityUrl,
        long expireTime) {}

    /** A sell. */
    public record CreatedSell(
        long orderId,
        String orderNo,
        String merchantOrderNo,
        String status,
        int orderType,
        String cnyAmount,
        String rate,
        String usdtAmount,
        String merchantAmount,
        String merchantActualAmount,
        CustomerMethod customerPaymentMethod,
        long createtime,
        List<String> ignored) {}

    /** An order, or a draft without `order_no`. */
    public record Order(
        long orderId,
        String orderNo,
        String merchantOrderNo,
        int orderType,
        int isTest,
        String status,
        String cnyAmount,
        String rate,
        String usdtAmount,
        String merchantAmount,
        String depositAmount,
        String serviceAmount,
        String merchantActualAmount,
        long createtime,
        long updatetime,
        long expireTime,
        List<TimelineEntry> timeline,
        TraderMethod paymentMethod,
        String payUrl,
        String requestedCnyAmount,
        List<Refund> refunds,
        String reversedUsdt,
        String remark,
        Map<String, String> metadata,
        String callbackUrl,
        String returnUrl,
        String reportedCnyAmount,
        List<String> ignored,
        CustomerMethod customerPaymentMethod,
        String refundOf,
        String claimedUsdt,
        String pendingNo,
        String identityUrl) {}

    /** A page of orders. */
    public record OrderPage(
        List<Order> orders,
        String cursor,
        List<String> ignored) {}

    /** A balance in USDT. */
    public record Balance(
        String available,
        String held,
        String deposit) {}

    /** The balances of live and test money. */
    public record Balances(
        Balance live,
        Balance test,
        List<String> ignored) {}

    /** A posting of an account. */
    public record Posting(
        String id,
        long time,
        String kind,
        String orderNo,
        String withdrawalNo,
        String account,
        String amount,
        String balance,
        String merchantOrderNo) {}

    /** A seal of the books. */
    public record Seal(
        long time,
        String hash) {}

    /** A page of postings. */
    public record StatementPage(
        List<Posting> postings,
        String cursor,
        Seal seal,
        List<String> ignored) {}

    /** An attempt to deliver a callback. */
    public record Attempt(
        long time,
        int httpStatus,
        int latencyMs,
        String failure,
        String answer) {}

    /** A callback with its attempts. */
    public record Delivery(
        String webhookId,
        String type,
        String orderNo,
        String pendingNo,
        String status,
        List<Attempt> attempts,
        long nextTime,
        String endpointId,
        List<String> ignored) {}

    /** An endpoint whose callbacks wait because it keeps failing. */
    public record PausedEndpoint(
        String origin,
        long since) {}

    /** A page of callbacks. */
    public record CallbackPage(
        List<Delivery> callbacks,
        String cursor,
        List<PausedEndpoint> paused,
        List<String> ignored) {}

    /** The data of a callback: of an order, or of a draft (`pending_no`). */
    public record EventData(
        long orderId,
        String orderNo,
        String merchantOrderNo,
        int orderType,
        int isTest,
        String status,
        String cnyAmount,
        String rate,
        String usdtAmount,
        String merchantAmount,
        String depositAmount,
        String serviceAmount,
        String merchantActualAmount,
        long createtime,
        long updatetime,
        long expireTime,
        List<TimelineEntry> timeline,
        String pendingNo,
        int sequence,
        String refundOf,
        String remark,
        Map<String, String> metadata,
        String requestedCnyAmount,
        String reason,
        String reportedCnyAmount,
        String reversedUsdt,
        List<Refund> refunds,
        String claimedUsdt,
        String origin,
        long since,
        String kind,
        String by,
        long opensAt) {}

    /** The body of a callback, with the id of the event. */
    public record ListedEvent(
        String eventId,
        String type,
        long timestamp,
        EventData data) {}

    /** A page of events. */
    public record EventPage(
        List<ListedEvent> events,
        String cursor,
        List<String> ignored) {}

    /** A withdrawal, or the request for one. */
    public record Withdrawal(
        long time,
        String state,
        String amount,
        String requestNo,
        String withdrawalNo,
        String network,
        String addressEnding,
        String txid,
        String reason) {}

    /** A page of withdrawals. */
    public record WithdrawalPage(
        List<Withdrawal> withdrawals,
        String cursor,
        List<String> ignored) {}

    /** The amounts of an order that was not created. */
    public record Quote(
        int orderType,
        String cnyAmount,
        String rate,
        long rateTime,
        String usdtAmount,
        String merchantAmount,
        String depositAmount,
        String serviceAmount,
        String merchantActualAmount,
        Boolean wouldMatch,
        List<String> ignored) {}

    /** The fees of the agreement. */
    public record Fees(
        int serviceBps,
        String serviceFixed,
        int depositBps,
        int spreadBps) {}

    /** The limits of open orders, and what is open. */
    public record Limits(
        int maxOpenBuys,
        int openBuys,
        String maxOpenCny,
        String openCny,
        int maxOpenSells,
        int openSells,
        String maxOpenSellCny,
        String openSellCny) {}

    /** The terms of the merchant. */
    public record Agreement(
        String minCny,
        String maxCny,
        Fees fees,
        boolean identityRequired,
        boolean requireReceipt,
        int maxRps,
        String callbackUrl,
        Limits live,
        Limits test,
        List<String> ignored) {}

    /** A callback: see `type`. */
    public record Event(
        String type,
        long timestamp,
        EventData data) {}
}
