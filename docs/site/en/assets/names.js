// Adds the accessible names and keyboard focus that the theme lacks. The theme searches on keyup, so an input event
// (paste, dictation, input method) is forwarded as one.
"use strict";
(() => {
  const name = () => {
    const search = document.querySelector("[data-md-component='search']");
    search?.setAttribute("aria-label", document.querySelector(".md-search__input")?.placeholder || "search");
    document.querySelectorAll("nav.md-code__nav").forEach((nav, at) => nav.setAttribute("aria-label", `code ${at + 1}`));
    for (const wrap of document.querySelectorAll(".md-typeset__scrollwrap")) wrap.tabIndex = 0;
    for (const box of document.querySelectorAll("li input[type='checkbox']")) box.setAttribute("aria-label", box.closest("li").textContent.trim());
  };
  document.querySelector(".md-search__input")?.addEventListener("input", ({ target }) => target.dispatchEvent(new Event("keyup")));
  name();
  new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
})();
