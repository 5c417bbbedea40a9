  // After every change the page of open orders is fetched: a list shows it in its place, an order's page says that there is news.
  const list = document.getElementById("open");
  const { page: listed, waiting, count: counted, changed } = page.dataset;
  // Settings that changed elsewhere matter to the list, which tells of a changed account, and to the pages of the settings.
  const versionOf = ({ version, online, settings }) => version + online + (list ? settings : "");
  const stale = document.getElementById("stale");
  const usual = document.title;
  let title = usual, known = list && versionOf(page.dataset), calling = false, next, asking = false;

  // What this tab has told of: a key stands for an order and whom it waits for.
  const TOLD = "orderdesk-told";
  const keysOf = (open) => open.dataset.keys.split(" ");
  let told = list && keysOf(list);
  try {
    told ??= JSON.parse(sessionStorage.getItem(TOLD));
  } catch {
    // Without storage a page begins anew.
  }
  const remember = (keys) => {
    told = keys;
    try {
      sessionStorage.setItem(TOLD, JSON.stringify(keys));
    } catch {
      // See above.
    }
  };
  if (told) remember(told);

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
  const show = (fresh, open, isNews) => {
    if (list) exchange(fresh);
    else if (known || isNews) {
      title = "(" + open.dataset.count + ") " + usual;
      document.getElementById("news").hidden = false;
    }
    if (!calling) document.title = title;
  };
  // Rearranging a list keeps the page, and with it the sound that a click allowed.
  let address = listed;
  const look = async (there, signal) => {
    const reply = await fetch(there, { cache: "no-store", signal });
    // The page's policy does not know the nonce of the other page's style.
    const text = (await reply.text()).replace(/<style[^]*?<\/style>/, "");
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const open = fresh.getElementById("open"), desk = fresh.getElementById("desk");
    if (!reply.ok || !open || leaving) return false;
    // Who has just opened an order's page, and looks at it, need not be called to it.
    const keys = keysOf(open), isNews = (known || document.hidden) && told && keys.some((key) => key && !told.includes(key));
    address = there;
    show(fresh, open, isNews);
    known = versionOf(desk.dataset);
    remember(keys);
    if (isNews) call(open.dataset.count);
    return true;
  };
  if (list) {
    addEventListener("click", async (event) => {
      const link = event.target.closest?.("a[data-arrange]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      try {
        if (!(await look(link.getAttribute("href")))) throw new Error("no list");
        history.replaceState(null, "", link.href);
      } catch {
        location.assign(link.href);
      }
    });
  }

  // Every 5 s, or every 10 s while the tab is hidden. A timer that is set when a request has ended belongs to no chain of timers,
  // and browsers slow down such a chain in hidden tabs to once a minute.
  const later = () => {
    clearTimeout(next);
    next = setTimeout(ask, document.hidden ? 10000 : 5000);
  };
  const ask = async () => {
    if (asking) return;
    asking = true;
    const giveUp = new AbortController();
    const patience = setTimeout(() => giveUp.abort(), 8000);
    try {
      const reply = await fetch(feed, { cache: "no-store", signal: giveUp.signal });
      if (reply.status === 401 && !leaving) return location.replace(login);
      if (reply.ok) {
        const { orders, online, settings } = await reply.json();
        if (stale && settings !== page.dataset.settings) stale.hidden = false;
        const version = versionOf({ version: orders, online: Number(online), settings });
        if (version !== known && (await look(address, giveUp.signal)) && list) said.textContent = changed;
      }
    } catch {
      // Perhaps offline: the next fetch shows it.
    } finally {
      clearTimeout(patience);
      asking = false;
    }
    later();
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    calling = false;
    document.title = title;
    ask();
  });
  addEventListener("online", ask);
  addEventListener("pageshow", (event) => event.persisted && ask());
  if (known) later();
  else ask();
