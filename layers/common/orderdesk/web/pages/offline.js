  // Say that the browser is offline, and for a moment that it is connected again. A browser can be wrong about it, so a page
  // also reports what its requests find.
  const connection = document.getElementById("connection");
  let hiding;
  const reportConnection = (isOnline) => {
    if (isOnline === (connection.dataset.is !== "offline")) return;
    connection.dataset.is = isOnline ? "online" : "offline";
    connection.textContent = connection.dataset[connection.dataset.is];
    connection.hidden = false;
    clearTimeout(hiding);
    if (isOnline) hiding = setTimeout(() => (connection.hidden = true), 4000);
  };
  addEventListener("offline", () => reportConnection(false));
  addEventListener("online", () => reportConnection(true));
  if (navigator.onLine === false) reportConnection(false);
