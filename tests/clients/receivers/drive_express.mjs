import { readFileSync } from "node:fs";
import "./receiver.mjs";
import { handled } from "./shop.mjs";

const statuses = [];
for (const [headers, body] of JSON.parse(readFileSync(0, "utf8"))) {
  const all = { "content-type": "application/json", ...headers };
  const url = `http://127.0.0.1:${process.env.PORT}/callbacks`;
  statuses.push((await fetch(url, { method: "POST", headers: all, body })).status);
}
console.log(JSON.stringify([statuses, handled]));
process.exit();
