import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { labWithMinds, mindWith, NOOP } from "../support/persona-lab.ts";
import { sim, spawnSimSync } from "../support/sim.ts";
import { CHANGING, ENDLESS, FAILING, REFUSED, UNUSABLE } from "./mind-faults.ts";

const RUN = ["run", "--duration", "5", "--clock", "virtual", "--name", "a"];

const said = (cwd: string): readonly string[] =>
  sim(cwd, "agents", "validate").out.trimEnd().split("\n");

/** The names of personas, in the order in which their problems are shown. */
const named = (at: number): string => `m${String(at).padStart(2, "0")}`;

describe("a module that cannot be used", () => {
  it("is reported at its place by sim agents validate", () => {
    const minds = UNUSABLE.map(([text], at) => [named(at), text] as const);
    const ran = sim(labWithMinds(Object.fromEntries(minds)), "agents", "validate");
    expect(ran).toMatchObject({ code: 1, err: "" });
    const lines = ran.out.trimEnd().split("\n");
    expect(lines).toHaveLength(UNUSABLE.length);
    for (const [at, [, reason]] of UNUSABLE.entries()) {
      expect(lines[at]).toContain(`agents/${named(at)}/mind.ts:${reason}`);
    }
  });

  it("prevents a run as a mistake of the user", () => {
    const cwd = labWithMinds({ m: "process.exit(0);" });
    expect(sim(cwd, ...RUN)).toEqual({
      code: 2,
      out: "",
      err: "sim: agents/m/mind.ts:1:9: this line calls process.exit, but a module must not end the process\n",
    });
  });

  it("gets a hint if an imported file has another ending", () => {
    const text = 'import { x } from "../x.js";\n';
    const cwd = labWithMinds({ m: text }, { "agents/x.ts": "export const x = 1;" });
    expect(said(cwd)).toEqual([
      'agents/m/mind.ts:1:19: imports ../x.js, which does not exist; write "../x.ts"',
    ]);
  });

  it("is reported in the file that has the mistake", () => {
    const text = `import { x } from "../../shared/x.ts";\n${mindWith(NOOP)}`;
    const shared = { "shared/x.ts": "export const x = ;\n" };
    expect(said(labWithMinds({ m: text }, shared))).toEqual([
      "shared/x.ts:1:18: SyntaxError: Unexpected token",
    ]);
  });
});

describe("a decision that fails", () => {
  const minds = FAILING.map(([decide], at) => [named(at), mindWith(decide)] as const);

  it("is reported at its place by sim agents validate", () => {
    const ran = sim(labWithMinds(Object.fromEntries(minds)), "agents", "validate");
    expect(ran).toMatchObject({ code: 1, err: "" });
    const lines = ran.out.trimEnd().split("\n");
    expect(lines).toHaveLength(FAILING.length);
    for (const [at, [, reason]] of FAILING.entries()) {
      const [, place = "", problem = ""] = /^(\d+:\d+): (.*)$/.exec(reason) ?? [];
      const shown = `agents/${named(at)}/mind.ts:${place}: the first decision of ${named(at)} fails:`;
      expect(lines[at]).toContain(`${shown} ${problem}`);
    }
  });

  it("fails its thought but not the run", () => {
    const cwd = labWithMinds(Object.fromEntries(minds));
    const ran = sim(cwd, ...RUN);
    expect(ran.code).toBe(0);
    const events = sim(cwd, "events", "a", "--kind", "thought_failed", "--json").out;
    const failed = events
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const [at, [, reason]] of FAILING.entries()) {
      expect(ran.err).toContain(`warning: the mind of ${named(at)} failed: mind.ts:${reason}`);
      const of = failed.filter(({ principal }) => principal === named(at));
      expect(of[0]).toMatchObject({ reason: "intent_rejected" });
      expect(of[0].message).toContain(`mind.ts:${reason}`);
    }
    expect(sim(cwd, "verify", "a").code).toBe(0);
  });

  it("is an action that no world accepts", () => {
    const [problem] = said(labWithMinds({ m: mindWith("return { action: { nop: {} } };") }));
    expect(problem).toContain(`agents/m/mind.ts:4:11: ${REFUSED}"nop" is not an action`);
  });

  it("is an endless loop, in decide or outside", () => {
    const loops = { m: "export default {\n  decide() {\n    for (;;);\n  },\n};" };
    const limit = { "config.yaml": "timeouts: { module_s: 2 }\n" };
    const cwd = labWithMinds(loops, limit);
    const limitText = "2 s, the limit in timeouts.module_s";
    const once = ["--duration", "1", "--set", "agent.loop.max_consecutive_errors=1"];
    expect(said(cwd)).toEqual([
      `agents/m/mind.ts:2:3: the first decision of m fails: ${ENDLESS.decide} ${limitText}`,
    ]);
    expect(sim(cwd, ...RUN, ...once).err).toContain(
      `the mind of m failed: mind.ts:2:3: ${ENDLESS.decide} ${limitText}`,
    );
    expect(said(labWithMinds({ m: "for (;;);" }, limit))).toEqual([
      `agents/m/mind.ts: ${ENDLESS.outside} ${limitText}`,
    ]);
  });
});

describe("a mind that does not repeat", () => {
  it.each(CHANGING)("gets a note from sim agents validate: %s", (text, note) => {
    const ran = sim(labWithMinds({ m: text }), "agents", "validate");
    expect(ran).toMatchObject({ code: 0, out: "no problems in m\n" });
    expect(ran.err).toMatch(/^note: [^\n]+\n$/);
    expect(ran.err).toContain(`note: agents/m/mind.ts:${note}`);
  });

  it("gets one warning in a run", () => {
    const cwd = labWithMinds({ m: mindWith(`Math.random(); ${NOOP}`) });
    expect(sim(cwd, ...RUN).err.match(/warning: [^\n]+/g)).toEqual([
      "warning: the mind of m: mind.ts:5:10: this line uses Math.random, so runs do not repeat; use the argument `random`",
    ]);
  });

  it("has one mistake in a population once", () => {
    const cwd = labWithMinds({ m: mindWith("throw new Error('no idea')") });
    writeFileSync(join(cwd, "agents/m/agent.yaml"), "id: m\nmind: ./mind.ts\ncount: 3\n");
    expect(sim(cwd, ...RUN).err.match(/warning: [^\n]+/g)).toEqual([
      expect.stringMatching(/^warning: the mind of m_[123] failed: mind.ts:5:11: Error: no idea$/),
    ]);
  });
});

describe("what a mind prints", () => {
  it("goes to the standard error, so that --json stays JSON", () => {
    const cwd = labWithMinds({ m: mindWith(`console.log("I am", view.id); ${NOOP}`) });
    const ran = spawnSimSync(cwd, ...RUN, "--json");
    expect(JSON.parse(ran.out)).toMatchObject({ run_id: "a" });
    expect(ran.err).toContain("I am m\n");
  });
});
