  // Notifications while the desk is closed: the browser's push service wakes the service worker, without data of the order.
  const PUSH = "orderdesk-push", ASKED = "orderdesk-push-asked";
  const pushSwitch = document.getElementById("push");
  const canPush = pushSwitch && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  const sendDevice = async (path, subscription) => {
    const body = new URLSearchParams({ endpoint: subscription.endpoint });
    const reply = await fetch(path, { method: "POST", body });
    if (!reply.ok) throw new Error("not taken");
  };
  const subscriptionNow = async () => {
    const registration = await navigator.serviceWorker.getRegistration(pushSwitch.dataset.worker);
    return registration?.pushManager.getSubscription();
  };
  const startPush = async ({ worker, push, owner }) => {
    if (!mayNotify()) await Notification.requestPermission();
    if (!mayNotify()) return false;
    await (await subscriptionNow())?.unsubscribe();
    await navigator.serviceWorker.register(worker);
    const registration = await navigator.serviceWorker.ready;
    const { key } = await (await fetch(push, { cache: "no-store" })).json();
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    await sendDevice(push, subscription);
    keep(PUSH, owner);
    return true;
  };
  const endPush = async ({ push }) => {
    const subscription = await subscriptionNow();
    keep(PUSH, "");
    if (!subscription) return;
    await sendDevice(push + "/off", subscription);
    await subscription.unsubscribe();
  };
  // Each session registers again, so that its end ends the pushes. End another trader's subscription, so that its endpoint is invalid.
  const resumePush = async ({ push, owner }) => {
    const subscription = await subscriptionNow();
    if (!subscription) return false;
    if (recall(PUSH) !== owner) {
      await subscription.unsubscribe();
      return false;
    }
    let asked = false;
    try {
      asked = sessionStorage.getItem(ASKED) === owner;
      sessionStorage.setItem(ASKED, owner);
    } catch {
      // Without storage every page registers.
    }
    if (!asked) await sendDevice(push, subscription);
    return mayNotify();
  };
  if (canPush) {
    const show = (isPushed) => pushSwitch.setAttribute("aria-pressed", String(isPushed));
    const failed = document.getElementById("unreached");
    pushSwitch.hidden = document.getElementById("push-advice").hidden = false;
    resumePush(pushSwitch.dataset).then(show, () => show(false));
    pushSwitch.addEventListener("click", async () => {
      const wanted = pushSwitch.getAttribute("aria-pressed") === "false";
      pushSwitch.disabled = true;
      failed.hidden = true;
      try {
        const isPushed = wanted && (await startPush(pushSwitch.dataset));
        if (!wanted) await endPush(pushSwitch.dataset);
        show(isPushed);
        document.getElementById("refused").hidden = !wanted || isPushed;
      } catch {
        failed.hidden = false;
      } finally {
        pushSwitch.disabled = false;
      }
    });
  }
