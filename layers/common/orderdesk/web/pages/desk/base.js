(() => {
  "use strict";
  const page = document.getElementById("desk");
  const said = document.getElementById("said");
  const { feed, login, now } = page.dataset;
  const ahead = Date.now() - now * 1000;

{% include "copy.js" %}

{% include "ask.js" %}

{% include "send.js" %}

{% include "other_page.js" %}

  // A reload, or the way back, does not report the last decision again.
  const address = new URL(location);
  if (address.searchParams.has("done")) {
    address.searchParams.delete("done");
    history.replaceState(null, "", address);
  }

  // The signed address of a picture is valid for 5 minutes from the page's rendering; later its link signs a new one.
  const DIRECT = 240000, loaded = Date.now();
  for (const link of document.querySelectorAll("a[data-direct]")) {
    const usual = link.href;
    link.addEventListener("click", () => (link.href = Date.now() - loaded < DIRECT ? link.dataset.direct : usual));
  }

  // Countdowns, by the server's clock.
  const two = (number) => String(number).padStart(2, "0");
  const tick = () => {
    for (const clock of document.querySelectorAll("[data-until]")) {
      const left = Math.max(0, Math.ceil(clock.dataset.until - (Date.now() - ahead) / 1000));
      const minutes = Math.floor(left / 60), hours = Math.floor(minutes / 60);
      const text = (hours ? page.dataset.leftHours : page.dataset.left)
        .replace("{h}", hours).replace("{m}", minutes % 60).replace("{s}", two(left % 60));
      clock.textContent = left ? text : clock.dataset.over;
      clock.classList.toggle("soon", left < 120);
    }
  };
  setInterval(tick, 1000);
  if (!feed) return;

{% include "desk/alarm.js" %}

{% include "desk/push.js" %}

{% include "desk/watch.js" %}
})();
