import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { emptyFolder, sim } from "../support/sim.ts";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

const [command = "", ...output] =
  /```\n\$ npx sim ([^`]*?)\n```/.exec(README)?.[1]?.split("\n") ?? [];

/** Words of a line, without the parts that the README leaves out or that depend on the machine. */
const wordsOf = (line: string): readonly string[] =>
  line
    .replace(/ in [\d.]+ s /, " in N s ")
    .replace(/\s*….*/, "")
    .trim()
    .split(/\s+/);

describe("the README", () => {
  const folder = emptyFolder();

  it("shows what its sample run prints", () => {
    const ran = sim(folder, ...command.split(" "));
    expect(ran.code).toBe(0);
    const printed = ran.out.split("\n").map((line) => wordsOf(line).join(" "));
    expect(output.length).toBeGreaterThan(5);
    for (const line of output) {
      const words = wordsOf(line).join(" ");
      expect(
        printed.some((each) => each.startsWith(words)),
        line,
      ).toBe(true);
    }
  });

  it.each(
    [
      ...README.matchAll(/^npx sim ((?:explain|fork|compare|verify) .*?) +#|^npx sim (fork .*)$/gm),
    ].map(([_, noted, bare]) => (noted ?? bare ?? "").trim()),
  )("works: sim %s", (line) => {
    const [verb = ""] = line.split(" ");
    expect(sim(folder, ...line.split(" ")).code).toBe(verb === "compare" ? 1 : 0);
  });
});
