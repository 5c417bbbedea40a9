(() => {
  "use strict";
  const page = document.getElementById("pay");
  const said = document.getElementById("said");
  const { status, open, now, since, expire, until, told, feed } = page.dataset;
  const ahead = Date.now() - now * 1000;
  const showAgain = () => location.replace(page.dataset.page);

{% include "copy.js" %}

{% include "ask.js" %}

{% include "send.js" %}

{% include "offline.js" %}

  // A browser whose style sheets know no :has still shows the button without a receipt: send the chosen file with it too.
  document.querySelector("#reported form")?.addEventListener("submit", (event) => {
    if (!upload?.elements.file.value || unfit.textContent) return;
    event.preventDefault();
    document.getElementById("reported").close();
    upload.querySelector("[type=submit]").click();
  });

  // The page of an order that was just completed leads back to the merchant, unless the payer stays or has come back to it.
  const returning = document.getElementById("returning");
  if (returning && performance.getEntriesByType("navigation")[0]?.type !== "back_forward") {
    const told = returning.querySelector("span");
    let left = Number(returning.dataset.seconds);
    const stay = () => {
      clearInterval(going);
      returning.hidden = true;
    };
    const count = () => {
      told.textContent = told.dataset.text.replace("{seconds}", left);
      if (left) return (left -= 1);
      stay();
      location.assign(returning.previousElementSibling.querySelector("a").href);
    };
    const going = setInterval(count, 1000);
    count();
    returning.hidden = false;
    returning.querySelector("button").addEventListener("click", stay);
    addEventListener("pageshow", (event) => event.persisted && stay());
  }

  if (open !== "1") return;

  // Poll the status by its age (page.py), and at once when the payer returns to the page, or copies a detail of the transfer.
  // Load the page again when the status changes, when a paid order can be disputed, and when a dispute has a new note;
  // not while a file is chosen or a text is begun, because that would be lost. An expired order still takes the file.
  const AGAIN = 9000, RECENT = 5000, OVER = 2000, NOTES = 27000, paces = JSON.parse(page.dataset.paces);
  let next, asking = false, answered = Date.now(), looked = 0;
  const pause = () => {
    const time = (Date.now() - ahead) / 1000, age = time - since;
    if (expire && time >= expire) return OVER;
    return paces.find(([end]) => end === null || age < end)[1] * 1000;
  };
  const later = (ms) => {
    clearTimeout(next);
    next = setTimeout(ask, ms * (0.9 + Math.random() * 0.2));
  };
  const isBusy = () => (upload && upload.elements.file.value) || document.querySelector("textarea")?.value;
  const waitedEnough = () => until && Date.now() - ahead >= until * 1000 && !isBusy();
  const isToldMore = async (signal) => {
    if (status !== "disputed" || isBusy() || Date.now() - looked < NOTES) return false;
    looked = Date.now();
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
      reportConnection(true);
      const answer = reply.ok ? await reply.json() : {}, found = answer.status ?? status;
      if (found === "expired" && isBusy()) return;
      const isStopped = answer.stopped && !page.dataset.stopped && !isBusy();
      if ((found !== status || isStopped || waitedEnough() || (await isToldMore(giveUp.signal))) && !leaving) return showAgain();
      if (reply.ok) [wait, answered] = [pause(), Date.now()];
    } catch {
      if (!leaving) reportConnection(false);
    } finally {
      clearTimeout(patience);
      asking = false;
    }
    later(wait);
  };
  const askSoon = () => {
    if (Date.now() - answered > RECENT) ask();
    else later(pause());
  };
  document.addEventListener("visibilitychange", () => document.hidden || askSoon());
  addEventListener("online", askSoon);
  addEventListener("pageshow", (event) => event.persisted && askSoon());
  addEventListener("click", (event) => event.target.closest?.("[data-copy], .save") && askSoon());
  later(pause());

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
    ask();
  };
  const ticking = setInterval(tick, 1000);
  tick();
})();
