(() => {
  "use strict";
  try {
    // The session to come has to ask for its pushes again (push.js).
    sessionStorage.removeItem("orderdesk-push-asked");
  } catch {
    // Without storage every page asks.
  }
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
