BEGIN;
INSERT INTO orderdesk_callbacks (webhook_id) VALUES (:webhook_id)
  ON CONFLICT DO NOTHING;
-- No row was inserted: this callback has been processed. Skip to COMMIT.
UPDATE shop_orders SET status = :status, callback_sequence = :sequence
  WHERE number = :merchant_order_no AND cny_amount = :cny_amount
    AND callback_sequence < :sequence;
COMMIT;
