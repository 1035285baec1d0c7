import { describe, expect, it } from "vitest";
import { emptyFolder, sim } from "../support/sim.ts";
import { isOneLine } from "./one-line.ts";

const folder = emptyFolder();

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
