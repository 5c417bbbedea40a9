BEGIN;
INSERT INTO orderdesk_callbacks (webhook_id) VALUES (:webhook_id)
  ON CONFLICT DO NOTHING;
-- No row was inserted: this callback has been processed. Skip to COMMIT.
-- requested_cny_amount is what you asked for. Where it is absent, pass NULL: cny_amount is it then.
-- cny_amount is what the customer pays. It may be lower by the max_discount of your request.
UPDATE shop_orders SET status = :status, callback_sequence = :sequence
  WHERE number = :merchant_order_no AND callback_sequence < :sequence
    AND cny_amount = CAST(COALESCE(:requested_cny_amount, :cny_amount) AS DECIMAL(14, 2))
    AND cny_amount - max_discount <= CAST(:cny_amount AS DECIMAL(14, 2));
COMMIT;
