(() => {
  "use strict";
  const page = document.getElementById("pay");
  const said = document.getElementById("said");
  const { status, open, now, expire, copied, feed } = page.dataset;
  const showAgain = () => location.replace(page.dataset.page);

  // Copy buttons, which tell screen readers too. Without a secure context there is no clipboard API, but the old way still works.
  const putOnClipboard = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = document.createElement("textarea");
    field.value = text;
    field.readOnly = true;
    field.className = "unseen";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("not copied");
  };
  for (const button of document.querySelectorAll("button[data-copy]")) {
    const word = button.firstElementChild, usual = word.textContent;
    let back;
    button.addEventListener("click", async () => {
      try {
        await putOnClipboard(button.dataset.copy);
      } catch {
        return;
      }
      word.textContent = copied;
      said.textContent = button.textContent;
      button.focus();
      clearTimeout(back);
      back = setTimeout(() => {
        word.textContent = usual;
        said.textContent = "";
      }, 2000);
    });
  }

  // Cancelling asks first; without a dialog the link leads to a page that asks.
  const sure = document.getElementById("sure");
  if (sure && sure.showModal) {
    document.getElementById("cancel").addEventListener("click", (event) => {
      event.preventDefault();
      sure.showModal();
    });
    sure.querySelector("[value=keep]").addEventListener("click", () => sure.close());
    sure.addEventListener("click", (event) => event.target === sure && sure.close());
  }

  // A form is sent once. The receipt is looked at before it travels; the server looks again.
  let leaving = false;
  const upload = document.getElementById("upload");
  const unfit = document.getElementById("unfit");
  const problemOf = (file) => {
    if (!file) return "";
    if (!file.size) return unfit.dataset.empty;
    if (file.size > Number(upload.dataset.max)) return unfit.dataset.size;
    return file.type && !upload.elements.file.accept.split(",").includes(file.type) ? unfit.dataset.type : "";
  };
  if (upload) {
    const { file } = upload.elements;
    file.addEventListener("change", () => {
      unfit.textContent = problemOf(file.files[0]);
      file.setAttribute("aria-invalid", String(Boolean(unfit.textContent)));
    });
  }
  const restore = [];
  for (const form of document.querySelectorAll("form[method=post]")) {
    form.addEventListener("submit", (event) => {
      if (leaving || (form === upload && unfit.textContent)) return event.preventDefault();
      leaving = true;
      const button = form.querySelector("[type=submit]"), usual = button.textContent;
      button.setAttribute("aria-disabled", "true");
      if (form === upload) {
        button.textContent = said.textContent = form.dataset.sending;
        form.querySelector(".sending").hidden = false;
      }
      restore.push(() => {
        leaving = false;
        button.removeAttribute("aria-disabled");
        button.textContent = usual;
        if (form === upload) form.querySelector(".sending").hidden = true;
      });
    });
  }
  addEventListener("pageshow", () => restore.splice(0).forEach((undo) => undo()));
  if (open !== "1") return;

  // The status, asked for less and less often; a change shows by loading the page anew.
  const FIRST = 3000, LONGEST = 30000;
  let delay = FIRST, next, asking = false;
  const later = () => {
    clearTimeout(next);
    next = setTimeout(ask, delay * (0.9 + Math.random() * 0.2));
    delay = Math.min(delay * 1.5, LONGEST);
  };
  const ask = async () => {
    if (asking || leaving || document.hidden) return;
    asking = true;
    const giveUp = new AbortController();
    const patience = setTimeout(() => giveUp.abort(), 10000);
    try {
      const reply = await fetch(feed, {
        cache: "no-store", credentials: "omit", signal: giveUp.signal,
      });
      if (reply.status === 404) return;
      if (reply.ok && (await reply.json()).status !== status && !leaving) return showAgain();
    } catch {
      // Offline for a moment: the next time will tell.
    } finally {
      clearTimeout(patience);
      asking = false;
    }
    later();
  };
  const askSoon = () => {
    delay = FIRST;
    ask();
  };
  document.addEventListener("visibilitychange", () => document.hidden || askSoon());
  addEventListener("online", askSoon);
  addEventListener("pageshow", (event) => event.persisted && askSoon());
  later();

  // The countdown, by the server's clock.
  if (!expire) return;
  const clock = document.getElementById("clock");
  const bar = document.getElementById("bar");
  const ahead = Date.now() - now * 1000;
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
