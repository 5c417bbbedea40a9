  // A dialog confirms moves that cannot be undone; without dialogs the link or button opens a page.
  for (const link of document.querySelectorAll("[data-ask]")) {
    const sure = document.getElementById(link.dataset.ask);
    if (!sure.showModal) continue;
    let opened = 0;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      opened = event.timeStamp;
      sure.showModal();
    });
    sure.querySelector("[value=keep]").addEventListener("click", () => sure.close());
    // Not by the second click of a double click, which is beside the dialog.
    sure.addEventListener("click", (event) => event.target === sure && event.timeStamp - opened > 500 && sure.close());
  }
