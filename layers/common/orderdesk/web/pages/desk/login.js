(() => {
  "use strict";
  const code = document.getElementById("code");
  const reveal = document.querySelector(".reveal");
  reveal.addEventListener("click", () => {
    const shown = code.type === "password";
    code.type = shown ? "text" : "password";
    reveal.setAttribute("aria-pressed", String(shown));
  });
  // Hide the code again, so that neither password manager nor history stores it as text.
  code.form.addEventListener("submit", () => (code.type = "password"));
})();
