// Adds api_key, timestamp, nonce and signature to the body. Write amounts as strings: "100.50".
const library = require("crypto-js"); // the sandbox has a global CryptoJS
const parameters = JSON.parse(pm.variables.replaceIn(pm.request.body.raw) || "{}");
parameters.api_key = pm.variables.get("api_key");
parameters.timestamp = Math.floor(Date.now() / 1000);
parameters.nonce = library.lib.WordArray.random(12).toString();
delete parameters.signature;

const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
};
const lines = Object.keys(parameters).sort()
  .filter((name) => parameters[name] !== null && parameters[name] !== "")
  .map((name) => `${name}=${typeof parameters[name] === "string" ? parameters[name] : canonical(parameters[name])}`);
const path = "/" + pm.request.url.path.slice(-2).join("/");
const text = [`POST ${path}`, ...lines].join("\n");
parameters.signature = library.HmacSHA256(text, pm.variables.get("api_secret")).toString();
pm.request.body.update({ mode: "raw", raw: JSON.stringify(parameters) });
