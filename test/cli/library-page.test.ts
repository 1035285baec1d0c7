import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { KINDS } from "../../src/policy/library/front-matter.ts";
import { type Followed, follow, pageText, stepsIn } from "../support/page-steps.ts";
import { sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const PAGE = pageText("library.md");
const STEPS = stepsIn(PAGE);
let followed: Followed;

beforeAll(async () => {
  followed = await follow(STEPS);
});

describe("the page on libraries", () => {
  it("has commands that exit as documented", () => {
    expect(STEPS.filter(({ does }) => does === "types").length).toBeGreaterThan(5);
    expect(followed.problems).toEqual([]);
  });

  it("leads to a producer that sells the program and its variant", () => {
    expect(followed.saidBy("sim events taxes").out).toMatch(/"tess_add_tax(_reduced)?_\d+"/);
  });

  it("shows the printed problem of the wrong example", () => {
    const shown = STEPS.flatMap((step) => (step.does === "reads" ? [step.text] : []));
    expect(shown).toHaveLength(1);
    expect(followed.said.map(([, { out }]) => out)).toEqual(expect.arrayContaining(shown));
  });

  it("names all kinds", () => {
    const [, list = ""] = /<!-- kinds -->\n([\s\S]*?)\n\n/.exec(PAGE) ?? [];
    const named = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(named.filter((name) => name !== "gives")).toEqual(KINDS);
  });
});

const FILE = "programs/money/add-tax.js";
const PROGRAM = STEPS.flatMap((step) =>
  step.does === "writes" && step.file === FILE ? [step.text] : [],
).join("");

const labWith = (program: string): string =>
  folderWith({
    "config.yaml": "policy: { library: programs }\n",
    "agents/tess/agent.yaml": "id: tess\nmind: policy/producer\n",
    [FILE]: program,
  });

describe("a library of the user", () => {
  it.each([
    ["worth: 4", "worth: 99", ":6:1: `worth` must be at most 15, not 99"],
    ["takes: number", "takes: nmber", ':4:1: `takes` must not be "nmber"; did you mean `number`?'],
    ["worth: 4", "worht: 4", ":6:1: unknown key `worht`; did you mean `worth`?"],
    ["title: Add tax", "title: [Add tax", ":3:1: not valid YAML: "],
    ["topic: money", "topic: taxes", ":3:1: topic is taxes, but the folder says money"],
    [
      "run(price,",
      "run(amount,",
      ":9:5: the code must contain the line `function run(price, rate) {`",
    ],
  ])("is refused at the place of the mistake: %s as %s", (right, wrong, problem) => {
    const cwd = labWith(PROGRAM.replace(right, wrong));
    const ran = sim(cwd, "agents", "validate");
    expectRefusal(ran, 2, /^sim: programs/);
    expect(ran.err).toContain(`sim: ${FILE}${problem}`);
  });

  it.each([
    ["result: 120", "result: 121", ":19:9: run(100) returns 120, but the example says 121"],
    ["result: 105", "result: 106", ":27:9: run(100) returns 105, but the example says 106"],
    ["Math.round", "Math.rond", ":19:9: run(100) fails: TypeError: not a function (line 33)"],
    ["return Math", "retur Math", ":19:9: run(100) fails: SyntaxError: "],
    [
      "return Math",
      'kernel.invoke("x", "run", []); return Math',
      ":19:9: run(100) fails: KernelError (not_authorized): a program of the library only computes",
    ],
  ])("has an example that is wrong: %s as %s", (right, wrong, problem) => {
    const cwd = labWith(PROGRAM.replace(right, wrong));
    const { code, out } = sim(cwd, "agents", "validate");
    expect(code).toBe(1);
    expect(out).toContain(`${FILE}${problem}`);
    // A program that cannot run fails once, and not once for each example.
    const file = join(cwd, FILE);
    writeFileSync(file, readFileSync(file, "utf8").replace(wrong, right));
    expect(sim(cwd, "agents", "validate")).toMatchObject({ code: 0, out: "no problems in tess\n" });
  });
});
