  // Copy buttons, announced to screen readers. Without a secure context there is no clipboard API: use execCommand.
  const putOnClipboard = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = document.createElement("textarea");
    field.value = text;
    field.readOnly = true;
    field.className = "unseen";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (!done) throw new Error("not copied");
  };
  for (const button of document.querySelectorAll("button[data-copy]")) {
    const after = button.querySelector(".after"), label = button.lastElementChild;
    let back;
    button.addEventListener("click", async () => {
      try {
        await putOnClipboard(button.dataset.copy);
      } catch {
        return;
      }
      button.classList.add("copied");
      said.textContent = after.textContent + label.textContent;
      button.focus();
      clearTimeout(back);
      back = setTimeout(() => {
        button.classList.remove("copied");
        said.textContent = "";
      }, 2000);
    });
  }
