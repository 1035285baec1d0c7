import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { asId, fitArgs, interfaceProblem, viewOf } from "../../src/kernel/index.ts";

import { LIBRARY_NAMES, sandboxFor } from "../../src/world/index.ts";
import type { TestWorld } from "../support/test-world.ts";
import { WIDE_VIEW } from "../support/view.ts";
import { LIBRARY_PHYSICS, libraryWorld, refusalCode, scripOf } from "./library-world.ts";

const sandbox = sandboxFor(LIBRARY_PHYSICS);
afterAll(() => sandbox.close());

const installed = (v: TestWorld, name: string) => v.state.artifacts.get(asId(`genesis_${name}`));

describe.each(LIBRARY_NAMES)("genesis_%s", (name) => {
  it("owns itself and has an account with a quota of disk", () => {
    const v = libraryWorld(sandbox);
    const id = asId(`genesis_${name}`);
    expect(installed(v, name)).toMatchObject({ owner: id, hasStanding: true, price: 0 });
    expect(installed(v, name)?.access).toBe("genesis_contract_freeware");
    const { diskQuota = 0, diskUsed = 0, ...account } = v.state.accounts.get(id) ?? {};
    expect(diskQuota - diskUsed).toBe(LIBRARY_PHYSICS.genesis.disk_bytes);
    expect(account).toMatchObject({ scrip: 0, llmBudgetMicros: 0, parent: null });
  });

  it("can be read by everyone and changed by no one", () => {
    const v = libraryWorld(sandbox);
    const before = installed(v, name);
    v.must(v.reads("alice", `genesis_${name}`));
    expect(v.writes("alice", `genesis_${name}`, { code: null }).success).toBe(false);
    expect(v.calls("alice", "genesis_store.delete", [`genesis_${name}`]).success).toBe(false);
    expect(installed(v, name)).toBe(before);
    const fileOf = (file: string) =>
      readFileSync(new URL(`../../genesis/${file}.js`, import.meta.url), "utf8");
    const [, own] = fileOf(name).split("\n--- */\n");
    expect(`${before?.code}\n`).toBe(`${fileOf("shared")}\n${own}`);
  });

  it("describes each method, with a valid example", () => {
    const v = libraryWorld(sandbox);
    const { interface: declared = null, code = "", methods } = installed(v, name) ?? {};
    expect(interfaceProblem(declared)).toBeNull();
    const found = sandbox.inspect({ key: name, code: code ?? "" }, 100_000);
    expect(found).toMatchObject({ ok: true, methods });
    for (const method of declared?.methods ?? []) {
      const parameters = Object.keys(method.input_schema.properties ?? {}).join(", ");
      expect(code).toContain(`\nfunction ${method.name}(${parameters}) {\n`);
      expect(method.examples?.length).toBeGreaterThan(0);
      for (const { args } of method.examples ?? []) {
        expect(fitArgs(method, args)).toMatchObject({ kind: "accepted", answer: args });
      }
    }
  });
});

/** The methods that take what is attached. */
const TAKES: { readonly [attached: string]: readonly string[] } = {
  scrip: ["purchase", "accept", "repay"],
  artifacts: ["deposit", "issue"],
};

it.each(LIBRARY_NAMES)(
  "genesis_%s refuses scrip and artifacts that a method does not use",
  (name) => {
    const v = libraryWorld(sandbox).program("bob", "gift", "function run() {}");
    for (const { name: method, examples = [] } of installed(v, name)?.interface?.methods ?? []) {
      for (const [kind, attached] of Object.entries({ scrip: 5, artifacts: ["gift"] })) {
        if (TAKES[kind]?.includes(method)) continue;
        const attach = { [kind]: attached };
        const outcome = v.calls("bob", `genesis_${name}.${method}`, examples[0]?.args, { attach });
        expect([method, refusalCode(outcome)]).toEqual([method, `no_${kind}`]);
      }
    }
    expect([v.owner("gift"), ...scripOf(v, "bob", `genesis_${name}`)]).toEqual(["bob", 100, 0]);
  },
);

describe("the standard library", () => {
  it("works the same in an agent's copy", () => {
    const v = libraryWorld(sandbox);
    v.standing("dave", "daves_escrow", { code: installed(v, "escrow")?.code ?? "", disk: 5_000 });
    v.program("alice", "tool", "function run() {}");
    v.must(v.calls("alice", "daves_escrow.deposit", [40], { attach: { artifacts: ["tool"] } }));
    expect(v.owner("tool")).toBe("daves_escrow");
    v.must(v.calls("bob", "daves_escrow.purchase", ["tool"], { attach: { scrip: 41 } }));
    expect(v.owner("tool")).toBe("bob");
    expect(scripOf(v, "alice", "bob", "dave", "daves_escrow")).toEqual([140, 60, 100, 0]);
  });

  it("is not in the market and the principals that agents see", () => {
    const v = libraryWorld(sandbox).program("bob", "tool", "function run() {}");
    v.must(v.calls("carol", "genesis_board.channels"));
    const view = viewOf(v.state, asId("alice"), { now: v.atMs, bounds: WIDE_VIEW });
    expect(view.market.map(({ id }) => id)).toEqual(["tool"]);
    expect(view.principals).toEqual(["bob", "carol", "dave"]);
  });

  it("refuses deposits when it is full, and keeps what it has", () => {
    const v = libraryWorld(sandbox);
    const [contract, buyer] = ["l".repeat(127), "b".repeat(127)];
    v.program("dave", contract, "function check_permission() { return { allowed: true } }");
    v.standing("dave", buyer, { code: "function run() {}", disk: 10 });
    let listed = 0;
    const deposit = (seller: string, n: number) => {
      const id = `${"x".repeat(120)}${seller}_${n}`;
      v.must(v.writes(seller, id, { content: "x", access: contract }));
      const attach = { artifacts: [id] };
      const outcome = v.calls(seller, "genesis_escrow.deposit", [1, buyer], { attach });
      if (outcome.success) listed += 1;
      else expect([refusalCode(outcome), v.owner(id)]).toEqual(["full", seller]);
      return outcome;
    };
    for (const seller of ["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"]) {
      v.agent(seller);
      for (let n = 0; n < 25; n++) deposit(seller, n);
    }
    // Each family has room for 17 such entries, and all of them together have less.
    expect(listed).toBeGreaterThan(7 * 17);
    expect(listed).toBeLessThan(8 * 17);
    const first = `${"x".repeat(120)}s1_0`;
    v.must(v.calls("s1", "genesis_escrow.cancel", [first]));
    expect(v.owner(first)).toBe("s1");
    v.must(deposit("s8", 30));
  });
});
