(() => {
  "use strict";
  const page = document.getElementById("pay");
  const said = document.getElementById("said");
  const { status, open, now, expire, until, told, feed } = page.dataset;
  const ahead = Date.now() - now * 1000;
  const showAgain = () => location.replace(page.dataset.page);

{% include "copy.js" %}

{% include "ask.js" %}

{% include "send.js" %}

  // A browser whose style sheets know no :has still shows the button without a receipt: send the chosen file with it too.
  document.querySelector(".report form")?.addEventListener("submit", (event) => {
    if (!upload?.elements.file.value || unfit.textContent) return;
    event.preventDefault();
    upload.querySelector("[type=submit]").click();
  });

  if (open !== "1") return;

  // Poll the status. Until the payment little changes without the payer, so the interval is long; poll at once when the payer
  // returns to the page, or copies a detail of the transfer. After the payment the interval is short at the start, then grows.
  // Load the page again when the status changes, when a paid order can be disputed, and when a dispute has a new note;
  // not while a file is chosen or a text is begun, because that would be lost.
  const [FIRST, LONGEST] = status === "pending" ? [60000, 60000] : [15000, 30000];
  const AGAIN = 10000, RECENT = 5000;
  let delay = FIRST, next, asking = false, answered = Date.now();
  const later = (ms) => {
    clearTimeout(next);
    next = setTimeout(ask, ms * (0.9 + Math.random() * 0.2));
  };
  const isBusy = () => (upload && upload.elements.file.value) || document.querySelector("textarea")?.value;
  const waitedEnough = () => until && Date.now() - ahead >= until * 1000 && !isBusy();
  const isToldMore = async (signal) => {
    if (status !== "disputed" || isBusy()) return false;
    const reply = await fetch(page.dataset.page, { cache: "no-store", credentials: "omit", signal });
    return reply.ok && !(await reply.text()).includes(`data-told="${told}"`) && !isBusy();
  };
  const ask = async () => {
    if (asking || leaving || document.hidden) return;
    asking = true;
    let wait = AGAIN;
    const giveUp = new AbortController();
    const patience = setTimeout(() => giveUp.abort(), 10000);
    try {
      const reply = await fetch(feed, {
        cache: "no-store", credentials: "omit", signal: giveUp.signal,
      });
      if (reply.status === 404) return;
      const changed = reply.ok && (await reply.json()).status !== status;
      if ((changed || waitedEnough() || (await isToldMore(giveUp.signal))) && !leaving) return showAgain();
      if (reply.ok) {
        [wait, answered] = [delay, Date.now()];
        delay = Math.min(delay * 1.5, LONGEST);
      }
    } catch {
      // Perhaps offline: poll again.
    } finally {
      clearTimeout(patience);
      asking = false;
    }
    later(wait);
  };
  const askSoon = () => {
    delay = FIRST;
    if (Date.now() - answered > RECENT) ask();
    else later(delay);
  };
  document.addEventListener("visibilitychange", () => document.hidden || askSoon());
  addEventListener("online", askSoon);
  addEventListener("pageshow", (event) => event.persisted && askSoon());
  addEventListener("click", (event) => event.target.closest?.("[data-copy], .save") && askSoon());
  later(delay);

  // The countdown, by the server's clock.
  if (!expire) return;
  const clock = document.getElementById("clock");
  const bar = document.getElementById("bar");
  const two = (number) => String(number).padStart(2, "0");
  const tick = () => {
    const left = Math.max(0, Math.ceil(expire - (Date.now() - ahead) / 1000));
    const minutes = Math.floor(left / 60), hours = Math.floor(minutes / 60);
    clock.textContent = (hours ? hours + ":" + two(minutes % 60) : two(minutes)) + ":" + two(left % 60);
    clock.classList.toggle("soon", left < 120);
    bar.value = left;
    if (left) return;
    clearInterval(ticking);
    delay = 1000;
    ask();
  };
  const ticking = setInterval(tick, 1000);
  tick();
})();
