  // After each change the response contains the page of open orders. A list replaces itself by it; any other page shows a notice.
  const list = document.getElementById("open");
  const { page: listed, waiting, count: counted, changed } = page.dataset;
  // A change of the settings matters only to the list, which warns of a changed account, and to the pages of the settings.
  const versionOf = ({ version, online, settings }) => [version, online, settings].join("-");
  const withoutSettings = (known) => known.slice(0, known.lastIndexOf("-"));
  const stale = document.getElementById("stale");
  const usual = document.title;
  let title = usual, known = list && versionOf(page.dataset), calling = false, next, asking = false;

  // The keys that this tab has alerted to: a key is a hash of an order's number and list.
  const TOLD = "orderdesk-told";
  const keysOf = (open) => open.dataset.keys.split(" ");
  let told = list && keysOf(list);
  try {
    told ??= JSON.parse(sessionStorage.getItem(TOLD));
  } catch {
    // Without storage each page starts without them.
  }
  const remember = (keys) => {
    told = keys;
    try {
      sessionStorage.setItem(TOLD, JSON.stringify(keys));
    } catch {
      // See above.
    }
  };
  // An order whose page is open needs no alert.
  if (told) remember(page.dataset.key ? [...told, page.dataset.key] : told);

  const call = (count) => {
    if (isOn[SOUND]) beep();
    if (!document.hidden) return;
    calling = true;
    document.title = "(" + count + ") " + waiting;
    notify(waiting, counted.replace("{count}", count));
  };
  const exchange = (fresh) => {
    const held = document.activeElement, address = held.getAttribute("href");
    for (const part of ["on-duty", "notices", "open"]) {
      const old = document.getElementById(part), its = fresh.getElementById(part);
      if (old.outerHTML !== its.outerHTML) old.replaceWith(its);
    }
    document.querySelector(".switch").href = fresh.querySelector(".switch").getAttribute("href");
    title = fresh.title;
    tick();
    if (held.isConnected) return;
    const links = [...document.querySelectorAll("#open a, #on-duty button")];
    links.find((link) => (held.id ? link.id === held.id : link.getAttribute("href") === address))?.focus();
  };
  // An order may change after its page was rendered and before the first response. The index may also lag behind the page.
  const isOutdated = (versions) => {
    if (!page.dataset.own || versions === undefined) return false;
    const [key, shown] = page.dataset.own.split(":");
    const found = versions.split(" ").find((each) => each.startsWith(key));
    return !found || Number(found.split(":")[1]) > Number(shown);
  };
  const show = (fresh, open, version, isNews) => {
    if (list) exchange(fresh);
    else if ((known && withoutSettings(known) !== withoutSettings(version)) || isNews || isOutdated(open.dataset.versions)) {
      title = "(" + open.dataset.count + ") " + usual;
      document.getElementById("news").hidden = false;
    }
    if (!calling) document.title = title;
  };
  let source = feed;
  const take = (text) => {
    const fresh = pageOf(text), open = fresh.getElementById("open"), desk = fresh.getElementById("desk");
    if (!open || leaving) return false;
    const keys = keysOf(open), isNews = (known !== null || document.hidden) && told && keys.some((key) => key && !told.includes(key));
    const version = versionOf(desk.dataset);
    show(fresh, open, version, isNews);
    if (list) source = desk.dataset.feed;
    known = version;
    remember(keys);
    if (isNews) call(open.dataset.count);
    return true;
  };
  // Sorting and filtering keep the page, so that the browser still allows the sound after an earlier click.
  if (list) {
    const find = document.getElementById("find"), sought = document.getElementById("q");
    // Of several requests only the last one's response is shown. What is typed meanwhile stays.
    let turns = 0;
    const arrange = async (address) => {
      const own = ++turns, typed = sought.value;
      try {
        const reply = await fetch(address, { cache: "no-store" }), text = await reply.text();
        if (own !== turns) return;
        if (!reply.ok || !take(text)) throw new Error("no list");
        history.replaceState(null, "", address);
        if (sought.value === typed) sought.value = new URL(address).searchParams.get("q") ?? "";
      } catch {
        location.assign(address);
      }
    };
    addEventListener("click", (event) => {
      const link = event.target.closest?.("a[data-arrange]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      arrange(link.href);
    });
    // Without a modifier, and outside of fields and dialogs: j and k move between the rows, / searches. The switch turns it off;
    // where no switch is shown, there are no shortcuts.
    const KEYS = "orderdesk-keys", keySwitch = document.getElementById("keys");
    if (recall(KEYS) === "0") turn(keySwitch, KEYS, false);
    keySwitch.addEventListener("click", () => turn(keySwitch, KEYS, keySwitch.getAttribute("aria-pressed") === "false"));
    addEventListener("keydown", (event) => {
      const { key, target } = event;
      if (keySwitch.getAttribute("aria-pressed") === "false" || !keySwitch.offsetParent) return;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, dialog")) return;
      const step = { j: 1, k: -1 }[key];
      if (key === "/") sought.focus();
      else if (step) {
        const rows = [...document.querySelectorAll("#open .item")];
        const at = rows.indexOf(target.closest(".item"));
        rows[at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)]?.querySelector(".stretch").focus();
      } else return;
      event.preventDefault();
    });
    find.addEventListener("submit", (event) => {
      event.preventDefault();
      const address = new URL(find.action);
      for (const [name, value] of new FormData(find)) if (value) address.searchParams.set(name, value);
      arrange(address.href);
    });
  }

  // All tabs of a browser share one poll in 15 s: the time and version of the last response are in the storage. The tab that
  // polled polls again; another tab does so after 2 s more without a response. So each tab, hidden or not, alerts within 20 s.
  // Each timer is set when a request has ended, because browsers throttle chained timers in hidden tabs to one a minute.
  const BEAT = 15000, TURN = 2000, AGAIN = 5000, ANSWER = "orderdesk-answer";
  // A further page, and a search, have other versions.
  const isShared = () => {
    const named = new URL(source, location.href).searchParams;
    return !named.has("after") && !named.has("q");
  };
  let answered = 0;
  const share = (at, version) => isShared() && keep(ANSWER, JSON.stringify({ at, known: version }));
  const note = () => {
    answered = Date.now();
    share(answered, known);
  };
  const later = (ms) => {
    clearTimeout(next);
    next = setTimeout(ask, ms);
  };
  const ask = async () => {
    if (asking) return;
    asking = true;
    let wait = AGAIN;
    const giveUp = new AbortController();
    const patience = setTimeout(() => giveUp.abort(), 8000);
    try {
      const address = new URL(source, location.href);
      address.searchParams.set("known", known || "none");
      const reply = await fetch(address, { cache: "no-store", signal: giveUp.signal });
      if (reply.status === 401 && !leaving) return location.replace(login);
      if (reply.ok) {
        const { page: fresh, settings } = await reply.json();
        if (stale && settings !== page.dataset.settings) stale.hidden = false;
        if (fresh && take(fresh) && list) said.textContent = changed;
        if (!leaving) note();
        wait = BEAT;
      }
    } catch {
      // Perhaps offline: poll again.
    } finally {
      clearTimeout(patience);
      asking = false;
    }
    later(wait);
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    calling = false;
    document.title = title;
    if (Date.now() - answered > AGAIN) ask();
  });
  addEventListener("online", ask);
  addEventListener("pageshow", (event) => event.persisted && ask());
  addEventListener("storage", ({ key, newValue }) => {
    const heard = key === ANSWER && isShared() && JSON.parse(newValue)?.known;
    if (!heard) return;
    if (heard !== known) return ask();
    answered = Date.now();
    later(BEAT + TURN);
  });
  // The trader's own change needs no alert: the next version counts as known.
  addEventListener("submit", (event) => event.target.method === "post" && !event.defaultPrevented && share(answered, ""));
  const last = isShared() && JSON.parse(recall(ANSWER));
  const left = last && told ? last.at + BEAT - Date.now() : 0;
  if (known) {
    note();
    later(BEAT);
  } else if (left > 0 && left <= BEAT) {
    [known, answered] = [last.known, last.at];
    later(left);
  } else ask();
