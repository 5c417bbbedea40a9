// Keeps the answer's numbers as variables, which the next requests use.
const kept = pm.response.json().data || {}; // the sandbox has a global `data`
for (const name of ["order_no", "merchant_order_no", "pending_no"]) {
  if (kept[name]) pm.collectionVariables.set(name, kept[name]);
}
if (kept.callbacks && kept.callbacks.length) {
  pm.collectionVariables.set("webhook_id", kept.callbacks[0].webhook_id);
}
