// The desk's service worker. A push has no content, so every notification is the same; a later one replaces it.
const DESK = new URL("orders", registration.scope).href;

addEventListener("push", (event) => {
  const more = { body: {{ texts.calls.pushed | tojson }}, tag: "orderdesk", renotify: true, lang: {{ language.tag | tojson }} };
  event.waitUntil(registration.showNotification({{ texts.calls.waiting | tojson }}, more));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const open = async () => {
    const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const desk = tabs.find((tab) => tab.url.startsWith(registration.scope));
    return desk ? desk.focus() : clients.openWindow(DESK);
  };
  event.waitUntil(open());
});
