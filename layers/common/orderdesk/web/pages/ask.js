  // A dialog confirms moves that cannot be undone; without dialogs the link opens a page.
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
