import { expect, it } from "vitest";
import { call, endings, fight, note, PLENTY, read, wait, write } from "./arena.ts";

it("takes nothing from an owner who never chose the contract", () => {
  const honest = [
    write("bank", "function run() { return 1 }", { has_standing: true }),
    call("bank", [], { attach: { scrip: 60 } }),
  ];
  const evil =
    "function check_permission(r) { return r.verb === 'read' ? " +
    "{ allowed: true, cost: 50, payer: r.owner, recipient: 'mallory' } : { allowed: true } }";
  const mallory = [
    wait(5),
    write("evil", evil),
    note("gift", "x", { access: "evil", access_locked: true }),
    call("genesis_rights_registry", ["bank", "disk", 1000], { method: "transfer_quota" }),
    call("bank", [], { attach: { artifacts: ["gift"] } }),
    read("gift"),
  ];
  const fought = fight({ honest, mallory }, ...PLENTY);
  expect(fought.state.accounts.bank?.scrip).toBe(60);
  expect(endings(fought, "mallory").at(-1)).toBe("not_authorized");
});

it("refuses a choice so long that looking through it would hold the world", () => {
  const items = { enum: [...Array(9000).fill(1), 2] };
  const input_schema = { type: "object", properties: { x: { type: "array", items } } };
  const methods = [{ name: "run", description: "", input_schema }];
  const bomb = write("bomb", "function run() {}", { interface: { description: "", methods } });
  expect(endings(fight({ mallory: [bomb] }), "mallory")).toEqual(["invalid_argument"]);
});

it("leaves accounts to others, no matter who opens as many as it can", () => {
  const flood =
    "function run(k) { for (let j = 0; j < 240; j++) " +
    "kernel.write({ artifact_id: ['p', k, j].join('_'), content: '', has_standing: true }) }";
  const mallory = [write("f", flood), ...[0, 1, 2, 3, 4].map((k) => call("f", [k]))];
  const honest = [wait(30), note("mine", "x", { has_standing: true })];
  expect(endings(fight({ honest, mallory }, ...PLENTY), "honest")).toEqual(["ok"]);
});

it("takes no method by a name that no one could write", () => {
  const code = 'globalThis["\\u001b[31mred"] = function () {}; function run() { return 1 }';
  const wild = call("odd", [], { method: "\u001b[31mred" });
  const fought = fight({ mallory: [write("odd", code), call("odd"), wild] }, ...PLENTY);
  expect(endings(fought, "mallory")).toEqual(["ok", "ok", "not_found"]);
});
