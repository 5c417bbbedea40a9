(() => {
  "use strict";
  try {
    // The next session has to register for pushes again (push.js).
    sessionStorage.removeItem("orderdesk-push-asked");
  } catch {
    // Without storage every page registers.
  }
  const code = document.getElementById("code");
  const reveal = document.querySelector(".reveal");
  reveal.addEventListener("click", () => {
    const shown = code.type === "password";
    code.type = shown ? "text" : "password";
    reveal.setAttribute("aria-pressed", String(shown));
  });
  // Hide the code again, so that neither the password manager nor the form history stores it as text.
  code.form.addEventListener("submit", () => (code.type = "password"));
})();
