(() => {
  "use strict";
  const page = document.getElementById("identity");
  const { state, now, expire } = page.dataset;
  // Not reload(): if this page is the response to a form, that sends the form again.
  const openAnew = () => location.replace(location.pathname + location.search);

{% include "offline.js" %}

  // The countdown, by the server's clock.
  const clock = document.getElementById("clock"), bar = document.getElementById("bar");
  if (clock) {
    const ahead = Date.now() - now * 1000;
    const two = (number) => String(number).padStart(2, "0");
    const tick = () => {
      const left = Math.max(0, Math.ceil(expire - (Date.now() - ahead) / 1000));
      const minutes = Math.floor(left / 60), hours = Math.floor(minutes / 60);
      clock.textContent = (hours ? hours + ":" + two(minutes % 60) : two(minutes)) + ":" + two(left % 60);
      clock.classList.toggle("soon", left < 120);
      if (bar) bar.value = left;
      if (left) return;
      clearInterval(ticking);
      setTimeout(openAnew, 1000);
    };
    const ticking = setInterval(tick, 1000);
    tick();
  }

  // While another submit is checked: poll the page until its state differs, with backoff.
  if (state === "verifying") {
    const FIRST = 2000, LONGEST = 20000;
    let delay = FIRST, next, asking = false;
    const later = () => {
      clearTimeout(next);
      next = setTimeout(ask, delay * (0.9 + Math.random() * 0.2));
      delay = Math.min(delay * 1.5, LONGEST);
    };
    const ask = async () => {
      if (asking || document.hidden) return;
      asking = true;
      try {
        const reply = await fetch(location.pathname + location.search, { cache: "no-store", credentials: "omit" });
        const seen = /id="identity" data-state="(\w+)"/.exec(await reply.text());
        if (seen && seen[1] !== state) return openAnew();
      } catch {
        // Perhaps offline: poll again.
      } finally {
        asking = false;
      }
      later();
    };
    document.addEventListener("visibilitychange", () => {
      delay = FIRST;
      ask();
    });
    later();
  }

  const form = document.getElementById("form"), send = document.getElementById("send");
  if (!form) return;

  // The server's checks, done earlier. The same values may be sent again, and the server decides.
  const line = (text) => text.replace(/[^\P{Cf}\u202e]/gu, "").normalize("NFKC").trim();
  const digits = (text) => line(text).replace(/[\s\-\u2010-\u2015\u2212]/g, "");
  const plain = {
    customer_name: (text) => line(text).replace(/(\p{L})(?:\.| *[∙⋅•‧・·] *)(?=\p{L})/gu, "$1·"),
    id_card: (text) => digits(text).replace(/x/g, "X"),
    mobile: (text) => digits(text).replace(/^(?:\+|00)86/, ""),
  };
  const NAME = /^[\p{L}〇][\p{L}〇\p{Mn}\p{Mc}· '’-]*$/u;
  const ID_CARD = /^[1-9]\d{5}((?:1[89]|20)\d\d)(\d\d)(\d\d)\d{3}[\dX]$/;
  const isDate = (year, month, day) => {
    const date = new Date(Date.UTC(year, month - 1, day));
    return date.getUTCMonth() === month - 1 && date.getUTCDate() === +day;
  };
  const checkCharacter = (digits) => {
    let remainder = 0;
    for (const digit of digits) remainder = ((remainder + +digit) * 2) % 11;
    return "0123456789X"[(12 - remainder) % 11];
  };
  const checks = {
    customer_name: (text) => {
      const length = [...text].length;
      return length >= 2 && length <= 50 && NAME.test(text) && !/[· '’-]$/.test(text) ? "" : "malformed";
    },
    id_card: (text) => {
      const found = ID_CARD.exec(text);
      if (!found) return "malformed";
      if (!isDate(found[1], found[2], found[3])) return "bad_birth_date";
      return checkCharacter(text.slice(0, 17)) === text[17] ? "" : "bad_check_digit";
    },
    mobile: (text) => (/^1[3-9]\d{9}$/.test(text) ? "" : "malformed"),
  };
  const problemOf = (input) => {
    const text = plain[input.name](input.value);
    return text ? checks[input.name](text) : "missing";
  };
  const show = (input, problem) => {
    const words = document.getElementById(input.name + "-problem");
    words.textContent = problem ? JSON.parse(input.dataset.problems)[problem] : "";
    if (problem) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };
  const tidy = (input) => {
    if (input.name !== "customer_name") input.value = plain[input.name](input.value);
  };
  // Pressing the button first leaves the field. A problem shown at that moment would move the button before the click.
  let pressed = 0;
  send.addEventListener("pointerdown", () => { pressed = Date.now(); });
  const inputs = [...form.querySelectorAll("input")];
  for (const input of inputs) {
    input.addEventListener("change", () => {
      tidy(input);
      if (input.value && Date.now() - pressed > 1000) show(input, problemOf(input));
    });
    input.addEventListener("input", () => {
      if (input.getAttribute("aria-invalid") && !problemOf(input)) show(input, "");
    });
  }
  const firstWrong = () => form.querySelector("[aria-invalid]");
  const wrong = firstWrong();
  if (wrong) wrong.focus();

  // One request a click; the button works again if no response arrives.
  const PATIENCE = 35000, usual = send.textContent;
  let sending = false, refused = "";
  const settle = (busy) => {
    sending = busy;
    send.textContent = busy ? form.dataset.sending : usual;
    if (busy) send.setAttribute("aria-disabled", "true");
    else send.removeAttribute("aria-disabled");
  };
  form.noValidate = true;
  form.addEventListener("submit", (event) => {
    if (sending) return event.preventDefault();
    inputs.forEach(tidy);
    const sent = JSON.stringify(inputs.map((input) => input.value));
    for (const input of inputs) show(input, problemOf(input));
    if (firstWrong() && sent !== refused) {
      event.preventDefault();
      refused = sent;
      firstWrong().focus();
      return;
    }
    settle(true);
    setTimeout(settle, PATIENCE, false);
  });
  addEventListener("pageshow", (event) => event.persisted && settle(false));
})();
