import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { labWith } from "../support/mechanism-lab.ts";
import { type Followed, follow, pageText, stepsIn } from "../support/page-steps.ts";
import { sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const STEPS = stepsIn(pageText("mechanisms.md"));
let followed: Followed;
beforeAll(async () => {
  followed = await follow(STEPS);
});

describe("the page on mechanisms", () => {
  it("has commands that exit as documented", () => {
    expect(STEPS.filter(({ does }) => does === "types")).toHaveLength(4);
    expect(followed.problems).toEqual([]);
  });

  it("has agents that trade with two markets under the same id", () => {
    const book = followed.saidBy("sim events book").out.replaceAll("\\", "");
    expect(book).toContain('market.buy returned {"order":2,"filled":2,"scrip":10,"waiting":1');
    expect(book).toContain('wheat.balance returned {"id":"baker","units":2}');
    const call = followed.saidBy("sim events call").out.replaceAll("\\", "");
    expect(call).toContain('market.buy returned {"order":2,"round":0,"ends_at_ms":60000}');
    expect(call).toContain('wheat.balance returned {"id":"baker","units":2}');
  });
});

const OWN =
  "/* ---\nsettings:\n  properties: { fee: { type: integer } }\n--- */\nfunction run() {}\n";

const OWN_ENTRY = "  m: { file: own.js, settings: { fee: 3 } }\n";

describe("the mechanisms of a configuration", () => {
  it("can be files of the user", () => {
    expect(sim(labWith(OWN_ENTRY, { "own.js": OWN }), "run")).toMatchObject({ code: 0 });
  });

  it.each([
    [OWN.replace("properties", "propertis"), /own.js:3:\d+: settings.propertis: is not supported/],
    [OWN.replace("settings:", "include: [x.js]\nsettings:"), /x.js.* cannot be read/],
    [OWN.replace("settings:", "description: 5\nsettings:"), /own.js:2:\d+: .*an interface must be/],
    [OWN.replace("settings:", "settings: ["), /own.js:\d+:\d+: not valid YAML/],
    [OWN.replace("function run()", "functio run()"), /own.js:5:\d+: .*SyntaxError/],
  ])("are refused at the line of a mistake in a file of the user", (text, problem) => {
    const ran = sim(labWith(OWN_ENTRY, { "own.js": text }), "run");
    expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(problem)]);
  });

  it("are in the world with their settings, owners and prices, and in the handbook", () => {
    const cwd = labWith("  m: { file: mechanisms/vickrey.js, owner: ada, price: 3 }\n");
    sim(cwd, "run", "--name", "first");
    const { out } = sim(cwd, "state", "first", "m");
    expect(out).toContain("mechanism of ada, created by ada");
    expect(out).toContain("price 3, ");
    expect(sim(cwd, "state", "first", "wheat").out).toContain(
      '\nconst settings = {"initial":{"ada":9},"issuer":null};\n',
    );
    expect(sim(cwd, "state", "first", "handbook_mechanisms").out).toContain(
      "Methods: balance(id?), transfer(to, units), ",
    );
    expect(sim(cwd, "verify", "first").code).toBe(0);
  });

  it("stay in a resumed run and in a fork, whose configuration must not change them", () => {
    const cwd = labWith("");
    const whole = JSON.parse(sim(cwd, "run", "--name", "whole", "--json").out);
    sim(cwd, "run", "--name", "half", "--stop-after", "2");
    const resumed = sim(folderWith({}), "resume", join(cwd, "runs/half"), "--json");
    expect(JSON.parse(resumed.out).state_hash).toBe(whole.state_hash);
    const forked = sim(cwd, "fork", "whole", "--at", "2s", "--config", "config.yaml", "--json");
    expect(JSON.parse(forked.out).state_hash).toBe(whole.state_hash);
    const set = (text: string) => sim(cwd, "fork", "whole", "--at", "2s", "--set", text);
    const other = set("mechanisms.wheat.settings.initial.ada=8");
    expectRefusal(other, 2, /mechanisms.wheat: it differs from the wheat of this world; leave it/);
    const more = set("mechanisms.shop.file=mechanisms/vickrey.js");
    expectRefusal(more, 2, /mechanisms.shop: this world was created without it; install it with/);
  });

  it("can be installed later by a schedule, with settings and an account", () => {
    const book = "file: mechanisms/order-book.js, settings: { good: wheat }, has_standing: true";
    const cwd = labWith(`schedule:\n  - { at: 2s, install: { id: m, ${book} } }\n`);
    expect(sim(cwd, "run", "--name", "first").code).toBe(0);
    expect(sim(cwd, "state", "first", "m").out).toContain('const settings = {"good":"wheat"};');
    const state = JSON.parse(sim(cwd, "state", "first", "--json").out);
    expect(state.accounts.m).toMatchObject({ scrip: 0 });
    expect(sim(cwd, "verify", "first").code).toBe(0);
  });
});
