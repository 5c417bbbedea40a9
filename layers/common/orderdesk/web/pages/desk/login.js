(() => {
  "use strict";
  const code = document.getElementById("code");
  const reveal = document.querySelector(".reveal");
  reveal.addEventListener("click", () => {
    const shown = code.type === "password";
    code.type = shown ? "text" : "password";
    reveal.setAttribute("aria-pressed", String(shown));
  });
  // What is shown is hidden again before a password manager or the history could keep it as text.
  code.form.addEventListener("submit", () => (code.type = "password"));
})();
