(() => {
  "use strict";
  const form = document.getElementById("compare"), file = document.getElementById("statement");
  const show = () => (form.querySelector(".name").textContent = file.files[0]?.name ?? "");
  file.addEventListener("change", show);
  addEventListener("pageshow", show);
  // The browser would report a missing file in its own language; the server's answer is in the page's.
  form.noValidate = true;
  // A confirmation leaves the result on the page: the file would have to be sent again to see it. Otherwise the order's page opens.
  const { done } = document.getElementById("desk").dataset;
  const forms = [...document.querySelectorAll("form.match")];
  const confirm = async (form) => {
    const button = form.querySelector("button");
    if (button.disabled) return true;
    button.disabled = true;
    const order = form.closest("li").querySelector("a").href;
    try {
      const reply = await fetch(form.action, { method: "POST" });
      if (!reply.ok || new URL(reply.url).pathname !== new URL(order).pathname) throw new Error("not confirmed");
      button.textContent = done;
      return true;
    } catch {
      location.assign(order);
    }
    return false;
  };
  for (const form of forms) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      confirm(form);
    });
  }
  // One after the other: what cannot be confirmed ends them, and its page opens.
  const all = document.getElementById("all"), sure = document.getElementById("ask-all");
  all?.addEventListener("click", () => sure.showModal());
  sure?.addEventListener("close", async () => {
    if (sure.returnValue !== "go") return;
    all.disabled = true;
    for (const form of forms) if (!(await confirm(form))) return;
    all.textContent = done;
  });
})();
