  // What cannot be taken back asks first; without a dialog the link leads to a page that asks.
  for (const link of document.querySelectorAll("a[data-ask]")) {
    const sure = document.getElementById(link.dataset.ask);
    if (!sure.showModal) continue;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      sure.showModal();
    });
    sure.querySelector("[value=keep]").addEventListener("click", () => sure.close());
    sure.addEventListener("click", (event) => event.target === sure && sure.close());
  }
