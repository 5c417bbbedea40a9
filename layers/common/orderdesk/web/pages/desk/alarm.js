  // Alerts: a sound and a notification, each switched on by its button, in this browser only.
  const recall = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const keep = (name, value) => {
    try {
      localStorage.setItem(name, value);
    } catch {
      // Without storage a switch lasts until the page is left.
    }
  };
  const SOUND = "orderdesk-sound", NOTE = "orderdesk-notify";
  const soundSwitch = document.getElementById("sound"), noteSwitch = document.getElementById("notify");
  const isOn = { [SOUND]: recall(SOUND) === "1", [NOTE]: recall(NOTE) === "1" };
  const turn = (button, name, on) => {
    isOn[name] = on;
    keep(name, on ? "1" : "0");
    button.setAttribute("aria-pressed", String(on));
  };

  // A browser may keep a page silent until a click: then `resume` does not resolve.
  let audio, isAwake = false;
  const wake = async () => {
    audio ??= new AudioContext();
    await audio.resume();
    isAwake = true;
    document.getElementById("silent")?.setAttribute("hidden", "");
  };
  const LATE_MS = 2000;
  const beep = async () => {
    const asked = Date.now();
    await wake();
    if (Date.now() - asked > LATE_MS) return;
    for (const [tone, after] of [[880, 0], [1175, 0.2]]) {
      const voice = audio.createOscillator(), volume = audio.createGain(), start = audio.currentTime + after;
      voice.frequency.value = tone;
      volume.gain.setValueAtTime(0.25, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
      voice.connect(volume).connect(audio.destination);
      voice.start(start);
      voice.stop(start + 0.3);
    }
  };
  if (isOn[SOUND]) {
    wake();
    for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, wake, { once: true });
    setTimeout(() => document.getElementById("silent")?.toggleAttribute("hidden", isAwake), 1000);
  }
  if (soundSwitch) {
    soundSwitch.setAttribute("aria-pressed", String(isOn[SOUND]));
    soundSwitch.addEventListener("click", () => {
      turn(soundSwitch, SOUND, !isOn[SOUND]);
      if (isOn[SOUND]) beep();
    });
  }

  const mayNotify = () => "Notification" in window && Notification.permission === "granted";
  if (noteSwitch && "Notification" in window) {
    noteSwitch.hidden = false;
    noteSwitch.setAttribute("aria-pressed", String(isOn[NOTE] && mayNotify()));
    noteSwitch.addEventListener("click", async () => {
      const wanted = noteSwitch.getAttribute("aria-pressed") === "false";
      if (wanted && !mayNotify()) await Notification.requestPermission();
      turn(noteSwitch, NOTE, wanted && mayNotify());
      document.getElementById("refused").hidden = !wanted || mayNotify();
    });
  }
  const notify = (text, more) => {
    if (!isOn[NOTE] || !mayNotify()) return;
    try {
      const note = new Notification(text, { body: more, tag: "orderdesk", renotify: true });
      note.addEventListener("click", () => {
        window.focus();
        note.close();
      });
    } catch {
      // Browsers on phones show only notifications of a service worker.
    }
  };
