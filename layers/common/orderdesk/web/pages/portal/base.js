(() => {
  "use strict";
  const said = document.getElementById("said");
{% include "copy.js" %}

{% include "ask.js" %}

{% include "other_page.js" %}

  // A form with data-passkey asks for a challenge, lets the browser use or make a passkey, and sends the answer.
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const listed = (credentials) => (credentials ?? []).map((each) => ({ ...each, id: bytes(each.id) }));
  const optionsOf = (sent) => ({
    ...sent,
    challenge: bytes(sent.challenge),
    ...(sent.user && { user: { ...sent.user, id: bytes(sent.user.id) } }),
    ...(sent.allowCredentials && { allowCredentials: listed(sent.allowCredentials) }),
    ...(sent.excludeCredentials && { excludeCredentials: listed(sent.excludeCredentials) }),
  });
  const answerOf = (made) => {
    const response = { clientDataJSON: text(made.response.clientDataJSON) };
    for (const name of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (made.response[name]) response[name] = text(made.response[name]);
    }
    return { id: made.id, rawId: text(made.rawId), type: made.type, response, clientExtensionResults: {} };
  };
  const ask = async (form) => {
    if (form.dataset.options) return navigator.credentials.create({ publicKey: optionsOf(JSON.parse(form.dataset.options)) });
    const answer = await fetch(form.dataset.challenge, { method: "POST", credentials: "same-origin" });
    if (answer.redirected) throw { status: 401 };
    if (!answer.ok) throw answer;
    const publicKey = optionsOf(await answer.json());
    return navigator.credentials[form.dataset.passkey]({ publicKey });
  };
  let busy = false;
  addEventListener("submit", async (event) => {
    const form = event.target;
    if (busy) return event.preventDefault();
    if (!form.dataset.passkey) return;
    event.preventDefault();
    const problem = form.querySelector("[data-not-done]"), button = event.submitter ?? form.querySelector("[type=submit]");
    if (!window.PublicKeyCredential) return (problem.textContent = problem.dataset.none);
    busy = true;
    problem.textContent = "";
    button.setAttribute("aria-disabled", "true");
    try {
      form.elements.credential.value = JSON.stringify(answerOf(await ask(form)));
      form.submit();
    } catch (refused) {
      // The session or invitation is over: the page itself now leads to the login, or says so.
      if ([401, 404].includes(refused.status)) return location.assign(location.pathname + location.search);
      problem.textContent = problem.dataset[refused.status] ?? problem.dataset.notDone;
      button.removeAttribute("aria-disabled");
      busy = false;
    }
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    busy = false;
    document.querySelectorAll("[aria-disabled]").forEach((each) => each.removeAttribute("aria-disabled"));
  });

  // The overview shows itself anew each minute while it is seen; not while its table is open or something in it has the focus.
  const live = document.querySelector("main[data-live]");
  const renew = async () => {
    const reply = await fetch(location.href, { cache: "no-store", credentials: "same-origin" });
    if (!reply.ok || reply.redirected) return;
    const fresh = pageOf(await reply.text()).querySelector("main[data-live]");
    if (!fresh || live.querySelector("details[open]") || live.querySelector(":focus")) return;
    if (fresh.innerHTML === live.innerHTML) return;
    fresh.querySelector("#said").replaceWith(said);
    live.replaceChildren(...fresh.childNodes);
  };
  if (live) setInterval(() => document.hidden || renew().catch(() => {}), live.dataset.live * 1000);
})();
