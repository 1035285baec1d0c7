import { describe, expect, it } from "vitest";
import { sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

describe("sim config", () => {
  it("prints the value and the source of each key", () => {
    const cwd = folderWith({ "config.yaml": "run: { seed: 2 }\nagents:\n" });
    const ran = sim(cwd, "config", "--set", "run.duration_s=5", "--set", "run.clock=virtual");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out.split("\n")).toEqual(
      expect.arrayContaining([
        "run.duration_s\t5\t--set",
        'run.clock\t"virtual"\t--set',
        "run.seed\t2\tconfig.yaml",
        "run.max_actions\tnull\tdefault",
        "virtual.think_ms.policy\t[200,800]\tdefault",
      ]),
    );
  });

  it("--json prints one document", () => {
    const cwd = folderWith({ "other.yaml": "run: { seed: 2 }\n" });
    const ran = sim(cwd, "config", "--json", "--config", "other.yaml");
    const { file, values } = JSON.parse(ran.out);
    expect(file).toBe("other.yaml");
    expect(values["run.seed"]).toEqual({ value: 2, origin: "other.yaml" });
    expect(values["run.clock"]).toEqual({ value: "auto", origin: "default" });
    expect(ran.err).toBe("");
  });

  it("reports each wrong line of a file on a line", () => {
    const cwd = folderWith({ "config.yaml": "run:\n  durations: 5\n  seed: x\n" });
    expect(sim(cwd, "config", "--json")).toEqual({
      code: 2,
      out: "",
      err:
        "sim: config.yaml:2:3: unknown key `run.durations`; did you mean `run.duration_s`?\n" +
        'sim: config.yaml:3:9: `run.seed` must be a whole number, not "x"\n',
    });
  });

  it.each([
    ["bad YAML", { "config.yaml": "run: [1\n" }, [], /^sim: config.yaml:2:1: not valid YAML: /],
    ["no such file", {}, ["--config", "x.yaml"], /^sim: x.yaml: cannot be read: no such file/],
    ["a folder", { "x/y": "" }, ["--config", "x"], /^sim: x: cannot be read: it is a folder/],
    ["a wrong --set", {}, ["--set", "run.sed=1"], /^sim: --set: unknown key `run.sed`; did you/],
    [
      "a section {}",
      {},
      ["--set", "compute={}"],
      /^sim: --set: `compute` has no keys, so .*e\.\w+$/m,
    ],
    ["a section without value", {}, ["--set", "agent.loop="], /^sim: --set: `agent.loop` has no k/],
  ])("%s is one line and code 2", (_what, files, args, message) => {
    expectRefusal(sim(folderWith(files), "config", ...args), 2, message);
  });

  it("takes a map without keys where none are in force, and an empty section of a file", () => {
    const cwd = folderWith({ "config.yaml": "compute:\n" });
    expect(sim(cwd, "config", "--set", "mechanisms={}")).toMatchObject({ code: 0, err: "" });
  });
});
