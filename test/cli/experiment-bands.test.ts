import { describe, expect, it } from "vitest";
import { sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const FILE = `name: known
base: { duration: 5s, agents: agents }
seeds: 1..4
arms:
  few: {}
  many: { agents: more }
model_arms:
  talk: { agents: talk, label: talkers }
measures:
  - { name: actions, bands: { few: [2, 2], many: [0, 1], talk: [0, 9] }, published: { many: 1.5 } }
`;

const folder = (file = FILE): string => folderWith({ "e.yaml": file });

describe("a wrong band, arm or seed", () => {
  const refusals: readonly (readonly [from: string, to: string, said: string])[] = [
    ["few: [2, 2]", "fw: [2, 2]", "e.yaml:10:35: there is no arm `fw`; did you mean `few`?"],
    ["{ many: 1.5 }", "{ moony: 1.5 }", "e.yaml:10:94: there is no arm `moony`"],
    ["many: [0, 1], ", "", "the published figure of `many` has no band; add bands: { many: "],
    ["[2, 2]", "[2, 1]", "must be [lowest, highest]"],
    ["  talk:", "  few:", "e.yaml:8:8: `few` is in `arms` too; rename one"],
    ["agents: talk,", "agents: talk, model: mock,", "model"],
  ];

  for (const [from, to, said] of refusals) {
    it(`is refused for ${to || `no ${from}`}`, () => {
      const { code, out, err } = sim(folder(FILE.replace(from, to)), "experiment", "e.yaml");
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(said);
    });
  }

  it("is refused for a model that no arm takes", () => {
    const file = FILE.replace(/model_arms:\n.*\n/, "").replace(", talk: [0, 9]", "");
    expectRefusal(
      sim(folder(file), "experiment", "e.yaml", "--model", "mock"),
      2,
      "e.yaml: no arm takes the model of --model; add `model_arms` to the file, or leave out --model",
    );
  });

  it.each(["3..1", "1", "a..b"])("is refused for --seeds %s", (text) => {
    expectRefusal(sim(folder(), "experiment", "e.yaml", "--seeds", text), 2, /--seeds/);
  });
});
