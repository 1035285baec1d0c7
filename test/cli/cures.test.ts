import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, sim } from "../support/sim.ts";
import { isOneLine } from "./one-line.ts";

const folder = emptyFolder();

beforeAll(() => {
  const run = ["run", "--clock", "virtual", "--duration", "60", "--name", "base"];
  expect(sim(folder, ...run, "--max-actions", "300").code).toBe(0);
}, 60_000);

describe("a flag of another form is answered with the form and an example", () => {
  it.each([
    [["run", "--model", "foo"], /'--model <id>'.*write provider\/model with .*, as in gemini\//],
    [["run", "--model", "foo", "--estimate"], /write provider\/model/],
    [["run", "--model", "skynet/t800"], /unknown provider "skynet"; write provider\/model/],
    [["fork", "latest", "--model", "openai/"], /names no model; write provider\/model/],
    [["run", "--only", ""], /'--only <ids>'.*must be names, separated by commas, as in ada,fermi/],
    [["run", "--only", "ada,,fermi"], /must be names/],
  ] as const)("sim %j", (args, message) => {
    const said = sim(folder, ...args);
    expect(said).toMatchObject({ code: 2, out: "" });
    expect(said.err).toMatch(message);
    expect(isOneLine(said)).toBe(true);
  });
});

it("a run that has had its actions says how many it has taken", () => {
  const said = sim(folder, "resume", "base", "--max-actions", "50");
  expect(said.code).toBe(2);
  expect(said.err).toBe(
    "sim: runs/base has taken 300 actions; " +
      "go further with --max-actions NUMBER above 300, those before included\n",
  );
});
