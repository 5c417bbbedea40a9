"""The words of answers in two languages: the names of values, the values themselves, warnings."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from orderdesk_cli.sheets.sheet import Field, Kind, Label

_VALUES = """
buy 买入 sell 卖出 live 正式 test 测试 both 双方
pending 待付款 paid 客户称已付款 matching 匹配中 assigned 已分配 draft 草稿 held 保留中
completed 已完成 cancelled 已取消 expired 已超时 disputed 争议中 locked 已锁定
active 正常 suspended 已停用 online 在线 offline 离线
open 待审批 executed 已执行 rejected 已驳回
requested 待处理 approved 已批准 blocked_by_finding 因账目问题暂停 begun 执行中 sent 已转出
merchant 商户 trader 交易员 operator 运营 payer 付款人 clock 系统
available 可用 deposit 保证金 fee 手续费 funding 外部资金 whole 合计
viewer 查看 support 客服 finance 财务 admin 管理员 developer 开发者
card 银行卡号 account 账号 id-card 身份证 mobile 手机号 payee 收款人
bank 银行卡 wechat 微信 alipay 支付宝 receipt 付款凭证 proof 打款凭证
state.pending 待投递 delivered 已送达 undeliverable 无法投递 gone 已失效 dead 已放弃 skipped 未订阅
failed 未送达
stays 不变 released 释放冻结 captured 结算 held_again 重新冻结 reversed 冲正
claimed 补付 late-proof 逾期打款凭证 agreed 已同意 objected 不同意
claim.open 待裁定 claim.paid 已付款 claim.rejected 未付款
"""
CHINESE = dict(zip(_VALUES.split()[::2], _VALUES.split()[1::2], strict=True))
"""The Chinese of values such as statuses; `NAME.VALUE` is that of one name's value only."""

STATUSES = (
    *("pending", "paid", "matching", "assigned", "disputed"),
    *("completed", "cancelled", "expired"),
)
"""The statuses of orders."""

MODES: tuple[tuple[str, Label], ...] = (("live", ("live", "正式")), ("test", ("test", "测试")))

_LABELS: Mapping[Kind, str] = {
    Kind.TEXT: """
        account=账户; account:number=账号; account:trader=account=账户（如 bank、wechat2）;
        account:trader.add-method=账号;
        stopped=orders told not to pay=已提示勿付款的订单; account_no=no.=序号;
        allow_cidr=allowed networks=允许的网段;
        allowed_cidrs=allowed networks=允许的网段; arn=ARN=ARN;
        balanced=balances=账目平衡; bank=银行; callback_url=callback address=回调地址;
        card_number=card=卡号; closes=账目平衡; content_type=type=格式;
        date=trading day (UTC+8)=交易日（UTC+8）; seal.date=its trading day=所属交易日;
        decided_by:list=审批人;
        display_name=name on the pages=页面显示名称;
        events=events (all if absent)=回调类型（空为全部）;
        given_back=sells back in matching=退回匹配的卖单; id=编号; id_card=证件号;
        identity=identity required=需实名; identity:list=实名; is_test=test money=测试资金;
        items=you may call=可用命令; key=item=条目; finding_id=id=编号;
        hash=哈希; verified=已验证; left=left to operators=需人工处理的订单;
        block_no=block=黑名单编号; value:masked=value=内容; by:list=操作人; value=内容;
        memo=备注; open_only=only waiting=仅待审批; operator=操作人; since=起始; until=截止;
        subject=about (id)=对象（编号）; text:order.ask=question=问题;
        invite_url=link=邀请链接; member=person=人员; name:merchant.invite=person=人员;
        merchant_order_no=merchant's number=商户订单号; mobile=手机号; name=名称;
        name:person=姓名; online=在线; verdict=has it paid=是否已付款;
        claims=claims=待裁定凭证; order_nos=orders=订单; outcome=结果;
        own_limits=its own limits=自设限额;
        passed_over=gave it back=曾退回; picture=图片; proposed_by:list=提案人; provider=服务商;
        rate_source=rate's source=汇率来源; real_name=payee=收款人; reason=原因;
        reason:audit=why=原因; remark=备注; remedy=what to do=处理办法;
        require_receipt=receipt required=需上传凭证; says=found=发现; source=来源;
        sub_bank=branch=支行; support=contact on the pages=客服联系方式; text=内容;
        text:finding=finding=结果; unique_amounts=金额唯一;
        is_test:trader.add=only test orders=仅接测试订单;
        is_test:merchant.revoke-secret=test key=测试密钥;
        qr_code=text of the payment code=收款码内容; url=address=地址;
        admin=its first admin=首位管理员; callback=callback secret=回调密钥
    """,
    Kind.ASIDE: "answer=应答; details=详情; refused=被拒原因; source_ip=from=来源",
    Kind.WORD: """
        account:word=账户; by=操作方; by:note=发送方; claim=decision=结论;
        duty=状态; effect.from=from=原状态;
        effect.money=USDT=USDT; effect.to=to=新状态; failure=失败; kind=类型; level==;
        method_type=method=方式; mode=模式; mode:usdt=USDT=USDT; money=USDT=USDT; side=方向;
        network=网络; role=角色; state=状态; status=状态; to=询问;
        to:order.ask=who is asked to answer=请谁回答; order_type=side=方向;
        suggested=the rules suggest=规则建议; sum_answer=payer's answer=付款人答复
    """,
    Kind.FLAG: """
        alone=单人; is_on=on=启用; new_answer=有新回复; passed_over:flag=gave it back=曾退回
    """,
    Kind.NUMBER: """
        accounts=账户数; amount=金额; amount:usdt=USDT=USDT; amount:asked=USDT=USDT;
        available=可用; balance=余额;
        balance_shards=余额分片; base_rate=基准汇率; closing=期末; cny=CNY=人民币;
        cny_amount=CNY=人民币; cny_today=CNY today=今日金额;
        completed_cny=completed, CNY=完成金额;
        completed_percent=completion rate, %=完成率 %;
        daily_cny=CNY a day at most=每日金额上限; deposit=保证金; deposit_amount=deposit=保证金;
        deposit_bps=deposit, bps=保证金（万分比）; deposit_bps:list=deposit=保证金;
        day.fees=fees=手续费; day.spread=spread=点差; day.deposits=deposits=保证金;
        day.reversals=reversed=冲正; day.fee_reversals=fees reversed=冲正手续费;
        day.deposit_reversals=deposits reversed=冲正保证金; deposits=保证金;
        difference=差额; ever_disputed=曾有争议; fee=fees=手续费; fees=手续费;
        fundings=充值; held=冻结; latency_ms=ms=毫秒; max_cny=largest order, CNY=最大金额;
        max_cny:list=to CNY=最大金额; max_open=open orders at most=进行中订单上限;
        max_open_buys=open buys at most=未完成买单上限; max_open_buys:list=at most=上限;
        max_open_cny=CNY in open buys at most=未完成买单金额上限; max_open_cny:list=at most=上限;
        max_open_sells=open sells at most=未完成卖单上限; max_open_sells:list=at most=上限;
        max_open_sell_cny=CNY in open sells at most=未完成卖单金额上限;
        max_open_sell_cny:list=at most=上限; open_sells=未完成卖单;
        open_sell_cny=CNY in open sells=未完成卖单金额;
        overdue=answer overdue=逾期未答复;
        stopped=stopped accounts=停用账户;
        amount:order.resolve=sum that arrived, CNY=实际到账金额; other_sums=other sums=不同金额;
        reported_cny_amount=reported as arrived=上报的到账金额;
        requested_cny_amount=asked for=商户要求金额;
        id_card_daily_cny=CNY a day of an id card=每证件每日金额;
        id_card_daily_count=buys a day of an id card=每证件每日笔数;
        payee_daily_cny=CNY a day of a payee=每收款账户每日金额;
        payee_daily_count=sells a day of a payee=每收款账户每日笔数;
        slot_share=% of a trader's slots=占交易员名额上限（%）; ended=已结束; unpaid=未付款;
        unpaid_percent=unpaid %=未付款（%）;
        max_callback_rps=callbacks a second at most=每秒回调上限;
        max_rps=calls a second at most=每秒请求上限;
        merchant_actual_amount=merchant gets or pays=商户实收/实付;
        merchant_amount=merchant's USDT=商户金额; min_cny=smallest order, CNY=最小金额;
        min_cny:list=from CNY=最小金额; open_buys=未完成买单;
        open_cny=CNY in open buys=未完成买单金额; open_orders=进行中订单;
        open_orders:list=open=进行中; opening=期初; orders=订单数;
        seals=封账数; findings=问题数;
        orders:open=open orders=进行中订单; passes=核对轮次; postings=分录; postings:count=分录数;
        rate=汇率; rate:base=CNY per USDT=汇率; rate:rate=CNY per USDT=汇率;
        receipts=凭证数; redeliveries=重发次数;
        releases=deposits released=释放保证金; reversals=reversed=冲正;
        reversed_usdt=reversed USDT=已冲正; reversible_usdt=left to reverse=可冲正;
        usdt:order.reverse=USDT to reverse=冲正 USDT;
        service_amount=fee=手续费; service_bps=fee, bps=手续费（万分比）;
        service_bps:list=fee=手续费; service_fixed=fixed fee, USDT=固定手续费;
        size_bytes=bytes=字节; spread=点差; spread_bps=spread, bps=点差（万分比）;
        spread_bps:list=spread=点差;
        status:http=HTTP=HTTP; together=合计; usdt=USDT=USDT; usdt_amount=USDT=USDT;
        withdrawals=提现; withdrawals:open=open withdrawals=待审批提现;
        available:trader=available USDT=可用 USDT; held:trader=held USDT=冻结 USDT;
        max_cny:largest=largest, CNY=最大金额; min_cny:order.list=CNY from=金额从;
        max_cny:order.list=CNY to=金额到
    """,
    Kind.TIME: """
        until:block=until=有效期至;
        created_at=added=添加时间; createtime=created=创建时间; decided_at=decided=审批时间;
        executed_at=executed=执行时间;
        expire_time=expires=到期时间; expires_at=expires=到期;
        last_accepted_at=last accepted=最近接单; methods_changed_at=accounts changed=账户变更时间;
        payee_stopped_at=account stopped=收款账户停用时间;
        next_time=next=下次尝试; probe_time=next probe=下次试投; proposed_at=proposed=提案时间;
        rate_set_at=rate set=汇率时间;
        reveal_until=its secret can be read until=密钥可读取至; set_at=set=设置时间; time=时间;
        seal.time=newest seal=最近封账; first=first seal=最早; last=last seal=最新;
        sent_at=sent=转出时间; stopped_at=stopped=停用时间;
        time:attempt=attempt=尝试时间; time:audit=when=时间; time:sent=sent=上传时间;
        time:since=since=时间; since:paused=paused since=暂停时间;
        updated_time=changed=更新时间; updatetime=changed=更新时间
    """,
    Kind.DURATION: """
        age_seconds=disputed for=争议时长;
        median_confirm_seconds=median time to confirm=确认用时中位数;
        most_confirm_seconds=90th percentile to confirm=确认用时 P90
    """,
    Kind.CODE: """
        access_code=access_code=登录码; address=地址; action=what=操作; api_key=api_key=api_key;
        api_secret=api_secret=api_secret; audit_id=audit entry=审计记录;
        callback_secret=callback_secret=callback_secret; check=检查项;
        code.text:payment=payment code=收款码内容; command=命令; digest=摘要;
        file_name=file=文件; kind:finding=类型; merchant_id:own=merchant=商户;
        merchant_id:secret=merchant_id=merchant_id; order_id=order_id=订单编号; origin=回调地址;
        reference=流水号; request_no=request=提现申请; txid=transaction=交易哈希;
        withdrawal_no=proposal or request=提案或提现申请;
        secret=密钥; test_api_key=test_api_key=test_api_key;
        test_api_secret=test_api_secret=test_api_secret; trader_id:own=trader=交易员;
        trader_id:secret=trader_id=trader_id; transfer_id=transfer=转账;
        transfer_remark=转账备注; type=类型
    """,
    Kind.ORDER: """
        number=order=订单; order_no=order=订单; order_no:draft=became=生成订单;
        pending_no=draft=草稿
    """,
    Kind.CALLBACK: "webhook_id=callback=回调",
    Kind.PROPOSAL: "proposal_no=proposal=提案",
    Kind.MERCHANT: """
        merchant_id=merchant=商户; merchant_id:asked=merchant (id or name)=商户（编号或名称）
    """,
    Kind.TRADER: """
        trader_id=trader=交易员; trader_id:asked=trader (id or name)=交易员（编号或名称）
    """,
    Kind.PERSON: """
        decided_by=审批人; owner=负责人; person=you are=您是; proposed_by=提案人; who=操作人
    """,
    Kind.DECISION: "summary=what it does=内容",
    Kind.SUBJECT: "target=about=对象; target:repeated=done before, about=此前已执行，对象",
}
"""The values of answers by their kinds: `name=English=Chinese`, or `name=Chinese`.

What follows a colon distinguishes values of one name; it is not part of the name.
"""


def _declared(text: str, kind: Kind) -> Iterator[tuple[str, Field]]:
    for entry in filter(None, map(str.strip, re.split("[;\n]", text))):
        name, *english, chinese = entry.split("=")
        path = name.partition(":")[0]
        yield name, Field(path, (english or [path.replace("_", " ")])[0], chinese, kind)


_FIELDS = {name: field for kind, text in _LABELS.items() for name, field in _declared(text, kind)}


def fields(names: str) -> list[Field]:
    """Return fields by their names, with spaces between; one with a question mark is wide."""
    return [replace(_FIELDS[name.rstrip("?")], wide=name.endswith("?")) for name in names.split()]


def label_of(name: str, *closer: str) -> Label:
    """Return the label of a value: its own, that of its path, or else its name.

    `closer` are names that are tried before, such as those of a command or of its group.
    """
    known = [_FIELDS[each] for each in (*closer, name, name.partition(":")[0]) if each in _FIELDS]
    return known[0].label if known else (name, name)


WARNINGS = {
    "trader_offline": (
        "the trader is offline: notify them of the order",
        "交易员不在线，请通知其处理",
    ),
    "no_method": (
        "the trader has no receiving method yet, so no order fits it (trader add-method)",
        "交易员尚无收款方式，不会匹配任何订单",
    ),
    "no_range": (
        "the trader's own range does not overlap with these limits, so no order fits it",
        "交易员自设的金额范围与限额不重叠，不会匹配任何订单",
    ),
    "code_is_link": (
        "a payment code is no known wallet's, so payers do not see it: set its picture",
        "有收款码不是微信或支付宝的收款码内容，不会向付款人展示；请改为收款码图片",
    ),
    "orders_unseen": (
        "not all open orders are listed yet: run it again in a minute",
        "部分进行中的订单尚未列出，请一分钟后重试",
    ),
    "more_paused": (
        "more endpoints are paused than the 100 shown: name a merchant to see its own",
        "已暂停的回调地址超过 100 个，仅显示前 100 个，请按商户查看",
    ),
}
"""What the API's warnings mean: English, Chinese."""
