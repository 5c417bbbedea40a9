  // Send each form once. Check and show a receipt before the upload; the server checks it again.
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
    const { file } = upload.elements, picked = upload.querySelector(".picked"), preview = new Image();
    preview.alt = picked.dataset.preview;
    preview.addEventListener("error", () => preview.remove());
    const say = (problem) => {
      unfit.textContent = problem;
      file.setAttribute("aria-invalid", String(Boolean(problem)));
    };
    const show = () => {
      const chosen = file.files[0];
      say(problemOf(chosen));
      picked.querySelector(".name").textContent = chosen ? chosen.name : "";
      URL.revokeObjectURL(preview.src);
      preview.remove();
      if (!chosen || unfit.textContent || !chosen.type.startsWith("image/")) return;
      preview.src = URL.createObjectURL(chosen);
      picked.prepend(preview);
    };
    file.addEventListener("change", show);
    addEventListener("pageshow", show);
    // The browser would report a missing file in its own language.
    upload.noValidate = true;
    upload.addEventListener("submit", (event) => {
      if (file.value) return;
      event.preventDefault();
      say(unfit.dataset.missing);
      file.focus();
    });
  }
  // A text and a file of a dispute are sent together, whichever button is pressed: the text comes first.
  const talk = document.querySelector("form.say");
  let talking = false;
  const sendBoth = async (event) => {
    const { text } = talk.elements;
    if (talking) return event.preventDefault();
    if (leaving || !upload.elements.file.value || unfit.textContent || !text.value.trim()) return;
    event.preventDefault();
    talking = leaving = true;
    try {
      const reply = await fetch(talk.action, { method: "POST", body: new URLSearchParams(new FormData(talk)) });
      if (!reply.ok) throw new Error("not said");
    } catch {
      return talk.submit();
    }
    text.value = "";
    talking = leaving = false;
    upload.requestSubmit();
  };
  if (talk && upload) for (const form of [talk, upload]) form.addEventListener("submit", sendBoth);
  // The response to a form is the page itself, instead of a redirect to it (`led_to` in page.py).
  const staying = (action) => {
    const address = new URL(action);
    address.searchParams.set("stay", "1");
    return address.href;
  };
  const restore = [];
  // On the window, not on each form, because the desk's list replaces its forms.
  addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || event.defaultPrevented) return;
    if (leaving || (form === upload && unfit.textContent)) return event.preventDefault();
    leaving = true;
    const button = event.submitter ?? form.querySelector("[type=submit]"), usual = button.textContent;
    button.setAttribute("aria-disabled", "true");
    if (form !== upload) form.action = staying(form.action);
    if (form === upload) {
      button.textContent = said.textContent = form.dataset.sending;
      form.querySelector(".sending").hidden = false;
      try {
        sessionStorage.setItem("orderdesk-sent", form.elements.key.value);
      } catch {
        // Without storage the reader presses the button of the next page.
      }
    }
    restore.push(() => {
      leaving = false;
      button.removeAttribute("aria-disabled");
      button.textContent = usual;
      if (form === upload) form.querySelector(".sending").hidden = true;
    });
  });
  addEventListener("pageshow", () => restore.splice(0).forEach((undo) => undo()));
