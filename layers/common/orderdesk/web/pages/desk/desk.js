(() => {
  "use strict";
  const page = document.getElementById("desk");
  const said = document.getElementById("said");
  const { feed, login, version, online, now, changed, reload } = page.dataset;
  const ahead = Date.now() - now * 1000;

{% include "copy.js" %}

{% include "ask.js" %}

{% include "send.js" %}

  // Countdowns, by the server's clock.
  const clocks = [...document.querySelectorAll("[data-until]")];
  const two = (number) => String(number).padStart(2, "0");
  const tick = () => {
    for (const clock of clocks) {
      const left = Math.max(0, Math.ceil(clock.dataset.until - (Date.now() - ahead) / 1000));
      const minutes = Math.floor(left / 60), hours = Math.floor(minutes / 60);
      const text = (hours ? hours + ":" + two(minutes % 60) : two(minutes)) + ":" + two(left % 60);
      clock.textContent = left ? text : clock.dataset.over;
      clock.classList.toggle("soon", left < 120);
      clock.previousElementSibling.hidden = !left;
    }
  };
  if (clocks.length) setInterval(tick, 1000);
  if (!feed) return;

  // After a reload, announce that something changed.
  const NEWS = "orderdesk-changed";
  try {
    if (reload && sessionStorage.getItem(NEWS)) setTimeout(() => (said.textContent = changed), 100);
    sessionStorage.removeItem(NEWS);
  } catch {
    // Without storage there is no announcement.
  }
  const tell = () => {
    if (!reload) {
      document.getElementById("news").hidden = false;
      return;
    }
    try {
      sessionStorage.setItem(NEWS, "1");
    } catch {
      // See above.
    }
    location.replace(page.dataset.page);
  };

  // Every five seconds while the page is visible: a list reloads on a change, an order's page shows a notice.
  let known = version && version + online, next, asking = false;
  const later = () => {
    clearTimeout(next);
    next = setTimeout(ask, 5000);
  };
  const ask = async () => {
    if (asking || leaving || document.hidden) return;
    asking = true;
    const giveUp = new AbortController();
    const patience = setTimeout(() => giveUp.abort(), 10000);
    try {
      const reply = await fetch(feed, { cache: "no-store", signal: giveUp.signal });
      if (reply.status === 401 && !leaving) return location.replace(login);
      if (reply.ok) {
        const told = await reply.json(), seen = told.orders + Number(told.online);
        known ??= seen;
        if (seen !== known && !leaving) {
          known = seen;
          tell();
        }
      }
    } catch {
      // Perhaps offline: the next fetch shows it.
    } finally {
      clearTimeout(patience);
      asking = false;
    }
    later();
  };
  document.addEventListener("visibilitychange", () => document.hidden || ask());
  addEventListener("online", ask);
  addEventListener("pageshow", (event) => event.persisted && ask());
  later();
})();
