import { expect, it } from "vitest";
import { call, endings, note, PLENTY, runScripts, wait, write } from "./arena.ts";

it("refuses an enum that would take too long to check", () => {
  const items = { enum: [...Array(9000).fill(1), 2] };
  const input_schema = { type: "object", properties: { x: { type: "array", items } } };
  const methods = [{ name: "run", description: "", input_schema }];
  const bomb = write("bomb", "function run() {}", { interface: { description: "", methods } });
  expect(endings(runScripts({ mallory: [bomb] }), "mallory")).toEqual(["invalid_argument"]);
});

it("leaves room for other accounts when an agent opens as many as it can", () => {
  const flood =
    "function run(k) { for (let j = 0; j < 240; j++) " +
    "kernel.write({ artifact_id: ['p', k, j].join('_'), content: '', has_standing: true }) }";
  const mallory = [write("f", flood), ...[0, 1, 2, 3, 4].map((k) => call("f", [k]))];
  const honest = [wait(30), note("mine", "x", { has_standing: true })];
  expect(endings(runScripts({ honest, mallory }, ...PLENTY), "honest")).toEqual(["ok"]);
});

it("ignores methods with invalid names", () => {
  const code = 'globalThis["\\u001b[31mred"] = function () {}; function run() { return 1 }';
  const wild = call("odd", [], { method: "\u001b[31mred" });
  const run = runScripts({ mallory: [write("odd", code), call("odd"), wild] }, ...PLENTY);
  expect(endings(run, "mallory")).toEqual(["ok", "ok", "not_found"]);
});
