// The signing workbench: what contract section 2 says, in the browser. Nothing leaves the page.
"use strict";
(() => {
  const MAX_NUMBER = 32;

  // A JSON number, kept as its text.
  class NumberText {
    constructor(text) { this.text = text; }
  }

  // JSON.parse would turn 100.50 into 100.5, and would ignore duplicate names.
  class Reader {
    constructor(text) { this.text = text; this.at = 0; }

    whole() {
      const value = this.value();
      this.space();
      if (this.at < this.text.length) throw new SyntaxError(String(this.at));
      return value;
    }

    space() {
      while (" \t\n\r".includes(this.text[this.at] ?? "x")) this.at += 1;
    }

    take(expected) {
      this.space();
      if (!this.text.startsWith(expected, this.at)) throw new SyntaxError(String(this.at));
      this.at += expected.length;
    }

    sees(character) {
      this.space();
      return this.text[this.at] === character;
    }

    value() {
      if (this.sees("{")) return this.object();
      if (this.sees("[")) return this.array();
      if (this.sees('"')) return this.string();
      for (const [word, value] of [["true", true], ["false", false], ["null", null]]) {
        if (this.text.startsWith(word, this.at)) { this.at += word.length; return value; }
      }
      const number = /-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
      number.lastIndex = this.at;
      const found = number.exec(this.text);
      if (!found) throw new SyntaxError(String(this.at));
      this.at += found[0].length;
      return new NumberText(found[0]);
    }

    string() {
      const quoted = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;
      quoted.lastIndex = this.at;
      const found = quoted.exec(this.text);
      if (!found) throw new SyntaxError(String(this.at));
      this.at += found[0].length;
      return JSON.parse(found[0]);
    }

    items(open, close, item) {
      this.take(open);
      if (this.sees(close)) { this.take(close); return; }
      do { item(); } while (this.sees(",") && (this.take(","), true));
      this.take(close);
    }

    object() {
      const names = new Map();
      this.items("{", "}", () => {
        this.space();
        const name = this.string();
        if (names.has(name)) throw new RangeError(name);
        this.take(":");
        names.set(name, this.value());
      });
      return names;
    }

    array() {
      const values = [];
      this.items("[", "]", () => values.push(this.value()));
      return values;
    }
  }

  // Canonical JSON (RFC 8785). Leaves are strings. JavaScript sorts by UTF-16 code units, as RFC 8785 requires.
  function canonical(value) {
    if (value instanceof Map) {
      const pairs = [...value.keys()].sort().map((name) => `${JSON.stringify(name)}:${canonical(value.get(name))}`);
      return `{${pairs.join(",")}}`;
    }
    return Array.isArray(value) ? `[${value.map(canonical).join(",")}]` : JSON.stringify(value);
  }

  function signedText(value) {
    if (value instanceof NumberText) return value.text;
    if (typeof value === "string") return value;
    return typeof value === "boolean" ? String(value) : canonical(value);
  }

  function* leavesNotText(path, value) {
    const inner = value instanceof Map ? [...value] : Array.isArray(value) ? [...value.entries()] : null;
    if (inner) {
      for (const [name, each] of inner) yield* leavesNotText(`${path}.${name}`, each);
    } else if (typeof value !== "string") yield path;
  }

  function* problems(parameters) {
    for (const [name, value] of parameters) {
      if (!/^[a-z][a-z0-9_]*$/.test(name)) yield [name, "name"];
      else if (typeof value === "string" && /[\u0000-\u001f\u007f-\u009f]/.test(value)) yield [name, "control"];
      else if (value instanceof NumberText && value.text.length > MAX_NUMBER) yield [name, "long"];
      else if (value instanceof Map || Array.isArray(value)) {
        for (const path of leavesNotText(name, value)) yield [path, "leaf"];
      }
    }
  }

  function stringToSign(method, path, parameters) {
    const lines = [...parameters.keys()].sort()
      .filter((name) => name !== "signature" && parameters.get(name) !== null && parameters.get(name) !== "")
      .map((name) => `${name}=${signedText(parameters.get(name))}`);
    return [`${method} ${path}`, ...lines].join("\n");
  }

  async function hmac(secret, text) {
    const bytes = (value) => new TextEncoder().encode(value);
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", bytes(secret), algorithm, false, ["sign"]);
    const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(text)));
    return [...mac].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // Accepts the string itself, the string as JSON, or the whole answer.
  function serversText(pasted) {
    const text = pasted.trim();
    try {
      const value = JSON.parse(text);
      if (typeof value === "string") return value;
      const found = value?.data?.string_to_sign ?? value?.string_to_sign;
      if (typeof found === "string") return found;
    } catch { /* not JSON: the text itself */ }
    return text.replaceAll("\r\n", "\n").replaceAll("\\n", "\n");
  }

  // Returns the first line that differs, from 0, or null. The server truncates after 4 KiB.
  function firstDifference(own, servers) {
    if (new TextEncoder().encode(servers).length >= 4000 && own.startsWith(servers)) return null;
    const [left, right] = [own.split("\n"), servers.split("\n")];
    for (let line = 0; line < Math.max(left.length, right.length); line += 1) {
      if (left[line] !== right[line]) return { line, own: left[line] ?? "", servers: right[line] ?? "" };
    }
    return null;
  }

  function start(bench) {
    const field = (name) => bench.querySelector(`[name="${name}"]`);
    const texts = JSON.parse(bench.querySelector("script[type='application/json']").textContent);
    const say = (name, text) => { field(name).value = text; };

    async function show() {
      say("problem", "");
      say("string", "");
      say("signature", "");
      say("body", "");
      let parameters;
      try {
        parameters = new Reader(field("parameters").value).whole();
        if (!(parameters instanceof Map)) throw new SyntaxError("0");
      } catch (error) {
        const [why, where] = error instanceof RangeError ? ["twice", error.message] : ["json", error.message];
        return say("problem", `${texts[why]} ${where}`);
      }
      const wrong = [...problems(parameters)];
      if (wrong.length) return say("problem", wrong.map(([name, why]) => `${name}: ${texts[why]}`).join("\n"));
      const text = stringToSign("POST", field("path").value.trim(), parameters);
      say("string", text);
      if (!globalThis.crypto?.subtle) return say("problem", texts.insecure);
      const signature = await hmac(field("secret").value, text);
      say("signature", signature);
      const given = parameters.get("signature");
      if (typeof given === "string" && given) {
        say("problem", given.toLowerCase() === signature ? texts.matches : texts.differs);
      }
      // The pasted body with its signature replaced, or appended.
      const sent = field("parameters").value.trim();
      const old = /"signature"\s*:\s*"[^"]*"/;
      const member = `"signature":"${signature}"`;
      const comma = parameters.size ? "," : "";
      say("body", old.test(sent) ? sent.replace(old, member) : `${sent.slice(0, -1).trimEnd()}${comma}${member}}`);
      compare();
    }

    function compare() {
      const pasted = field("servers").value;
      if (!pasted.trim()) return say("difference", "");
      const found = firstDifference(field("string").value, serversText(pasted));
      say("difference", found === null ? texts.same
        : `${texts.line} ${found.line + 1}\n${texts.own} ${found.own}\n${texts.server} ${found.servers}`);
    }

    function refresh() {
      const nonce = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      field("parameters").value = field("parameters").value
        .replace(/("timestamp"\s*:\s*)("?)\d+\2/, `$1${Math.floor(Date.now() / 1000)}`)
        .replace(/("nonce"\s*:\s*)"[^"]*"/, `$1"${nonce}"`);
      show();
    }

    for (const name of ["parameters", "secret", "path"]) field(name).addEventListener("input", show);
    field("servers").addEventListener("input", compare);
    bench.querySelector("button").addEventListener("click", refresh);
    show();
  }

  document.querySelectorAll("[data-workbench]").forEach(start);
})();
