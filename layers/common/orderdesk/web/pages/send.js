  // A form is sent once. The receipt is checked before the upload; the server checks it again.
  let leaving = false;
  const upload = document.getElementById("upload");
  const unfit = document.getElementById("unfit");
  const problemOf = (file) => {
    if (!file) return "";
    if (!file.size) return unfit.dataset.empty;
    if (file.size > Number(upload.dataset.max)) return unfit.dataset.size;
    return file.type && !upload.elements.file.accept.split(",").includes(file.type) ? unfit.dataset.type : "";
  };
  if (upload) {
    const { file } = upload.elements;
    file.addEventListener("change", () => {
      unfit.textContent = problemOf(file.files[0]);
      file.setAttribute("aria-invalid", String(Boolean(unfit.textContent)));
    });
  }
  const restore = [];
  for (const form of document.querySelectorAll("form[method=post]")) {
    form.addEventListener("submit", (event) => {
      if (leaving || (form === upload && unfit.textContent)) return event.preventDefault();
      leaving = true;
      const button = form.querySelector("[type=submit]"), usual = button.textContent;
      button.setAttribute("aria-disabled", "true");
      if (form === upload) {
        button.textContent = said.textContent = form.dataset.sending;
        form.querySelector(".sending").hidden = false;
        try {
          sessionStorage.setItem("orderdesk-sent", form.elements.key.value);
        } catch {
          // Without storage the next page waits for its button.
        }
      }
      restore.push(() => {
        leaving = false;
        button.removeAttribute("aria-disabled");
        button.textContent = usual;
        if (form === upload) form.querySelector(".sending").hidden = true;
      });
    });
  }
  addEventListener("pageshow", () => restore.splice(0).forEach((undo) => undo()));
