(() => {
  "use strict";
  const form = document.getElementById("sent");
  let leaving = false;
  form.addEventListener("submit", (event) => {
    if (leaving) event.preventDefault();
    leaving = true;
    // The response is the page itself, instead of a redirect to it (`led_to` in page.py).
    const address = new URL(form.action);
    address.searchParams.set("stay", "1");
    form.action = address.href;
  });
  addEventListener("pageshow", () => (leaving = false));

  // Submit automatically only in the tab that has just sent this file (send.js), because any site can open this address.
  const SENT = "orderdesk-sent";
  let sent = null;
  try {
    sent = sessionStorage.getItem(SENT);
    sessionStorage.removeItem(SENT);
  } catch {
    // Without storage the reader presses the button.
  }
  const { pause } = form.dataset;
  if (pause) setTimeout(() => form.requestSubmit(), pause * 1000);
  else if (sent === form.elements.key.value) form.requestSubmit();
})();
