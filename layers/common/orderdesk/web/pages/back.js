(() => {
  "use strict";
  const form = document.getElementById("sent");
  let leaving = false;
  form.addEventListener("submit", (event) => {
    if (leaving) event.preventDefault();
    leaving = true;
    // The answer is the page itself, instead of a redirect to it (page.py).
    const address = new URL(form.action);
    address.searchParams.set("stay", "1");
    form.action = address.href;
  });
  addEventListener("pageshow", () => (leaving = false));

  // Goes on by itself only in the tab that has just sent this file (send.js): another site can lead a browser here too.
  const SENT = "orderdesk-sent";
  let sent = null;
  try {
    sent = sessionStorage.getItem(SENT);
    sessionStorage.removeItem(SENT);
  } catch {
    // Without storage the button goes on.
  }
  if (sent === form.elements.key.value) form.requestSubmit();
})();
