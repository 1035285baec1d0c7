import { platform } from "node:os";
import { describe, expect, it } from "vitest";
import { VERBS } from "../../src/cli/program.ts";
import { sim, spawnSimSync } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const VERB_NAMES = VERBS.map(([name]) => name).join(", ");

describe("the command line", () => {
  it("without arguments prints the help, which names every verb", () => {
    const alone = spawnSimSync(".");
    expect(alone).toMatchObject({ code: 0, err: "" });
    expect(sim(".", "--help")).toEqual(alone);
    const groups = alone.out.match(/^[A-Z]\w+:$/gm);
    expect(groups).toEqual([
      ...["Options:", "Run:", "Look:", "Change:", "Experiment:", "People:", "Administer:"],
      "Examples:",
    ]);
    for (const [name] of VERBS) expect(alone.out).toMatch(`  ${name} `);
    expect(alone.out).toContain("Examples:\n  $ sim run");
  });

  it("prints its version", () => {
    const out = expect.stringMatching(/^\d+\.\d+/);
    expect(sim(".", "--version")).toMatchObject({ code: 0, out });
  });

  it.each(VERBS.map(([name]) => name))("sim %s --help has an example", (name) => {
    const ran = sim(".", name, "--help");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toContain(`Usage: sim ${name}`);
    expect(ran.out).toContain(`  $ sim ${name}`);
  });

  it("sim help VERB is sim VERB --help", () => {
    expect(sim(".", "help", "config").out).toBe(sim(".", "config", "--help").out);
  });

  it.each([
    [["rnu"], `unknown command 'rnu' (did you mean run?); the commands are ${VERB_NAMES}`],
    [["help", "rnu"], `unknown command 'rnu'; the commands are ${VERB_NAMES}`],
    [["config", "--jsn"], "unknown option '--jsn' (did you mean --json?); try --help"],
    [["--quite"], "unknown option '--quite' (did you mean --quiet?); try --help"],
    [["config", "--set"], "option '--set <key=value>' argument missing; try --help"],
    [["init"], "missing required argument 'dir'; try --help"],
    [["runs", "x"], /^sim: too many arguments for 'runs'/],
    [
      ["agents", "lst"],
      "unknown command 'lst' (did you mean list?); the commands are list, validate, preview, new",
    ],
    [
      ["run", "--seed", "9007199254740992"],
      /argument '9007.*must be at most 9007199254740991; try/,
    ],
  ] as const)("%j is answered in one line", (args, message) => {
    expectRefusal(sim(".", ...args), 2, message);
  });
});

it.skipIf(platform() !== "linux").each([
  ["agents", "new", "zed", "--agents", "/proc/none"],
  ["init", "/proc/none/lab"],
])("a folder that cannot be created in /proc ends with an error: sim %s %s", (...args) => {
  expectRefusal(
    sim(".", ...args),
    3,
    /^sim: \/proc\/none\S*: no such file or directory \(mkdir\)\n$/,
  );
});

it("an error is one line with the message of the system, and code 3", () => {
  const ran = spawnSimSync(folderWith({ file: "" }), "init", "file/below");
  expectRefusal(ran, 3, /^sim: \S*file\/below\S*: not a directory \(\w+\)\n$/);
});
