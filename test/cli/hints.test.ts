import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { eventsOf as eventsIn } from "../attack/arena.ts";
import { emptyFolder, sim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const folder = emptyFolder();

const eventsOf = (...flags: readonly string[]) => eventsIn(folder, "base", ...flags);

const problemOf = (...args: readonly string[]): string => {
  const said = sim(folder, ...args);
  expectRefusal(said, 2, /./);
  return said.err.trim();
};

beforeAll(() => {
  const run = ["run", "--clock", "virtual", "--duration", "60", "--name", "base"];
  expect(sim(folder, ...run, "--max-actions", "300").code).toBe(0);
});

it.each([
  [["run", "--model", "foo"], /'--model <id>'.*write provider\/model with .*, as in gemini\//],
  [["run", "--model", "foo", "--estimate"], /write provider\/model/],
  [["run", "--model", "skynet/t800"], /unknown provider "skynet"; write provider\/model/],
  [["fork", "latest", "--model", "openai/"], /names no model; write provider\/model/],
  [["run", "--only", ""], /'--only <ids>'.*must be names, separated by commas, as in ada,fermi/],
  [["run", "--only", "ada,,fermi"], /must be names/],
] as const)(
  "a flag in the wrong form is answered with the form and an example: sim %j",
  (args, message) => {
    expect(problemOf(...args)).toMatch(message);
  },
);

it("a run at its action limit reports how many actions it has taken", () => {
  expect(problemOf("resume", "base", "--max-actions", "50")).toBe(
    "sim: runs/base has taken 300 actions; " +
      "set --max-actions above 300; it counts all actions of the run",
  );
});

describe("a name that does not exist", () => {
  it("is explained if it is an artifact without an account", () => {
    expect(problemOf("explain", "base", "genesis_mint")).toBe(
      'sim: "genesis_mint" is an artifact without an account: it owns no scrip; ' +
        "`sim state base genesis_mint` describes it",
    );
    const accounts = eventsOf("--kind", "principal_created").map(({ id }) => id);
    const written = eventsOf("--kind", "artifact_written").find(
      ({ artifact_id, owner }) => artifact_id !== owner && !accounts.includes(artifact_id),
    );
    const [id, owner] = [written?.artifact_id, written?.owner];
    expect(problemOf("explain", "base", String(id))).toContain(
      `what it earns goes to its owner, ${owner}; \`sim state base ${id}\` describes it`,
    );
  });

  it("is explained if its account was opened later", () => {
    const newest = eventsOf("--kind", "principal_created").at(-1);
    const before = (newest?.seq ?? 0) - 1;
    const said = problemOf("explain", "base", String(newest?.id), "--at", String(before));
    expect(said).toContain(
      `did not exist at event ${before}; its account was opened by event ${newest?.seq}`,
    );
  });

  it.each([
    [["explain", "base", "ghost"], /; `sim state base` lists all accounts$/],
    [["events", "base", "--principal", "genesis_mint"], /; `sim state base` lists the accounts/],
    [["state", "base", "nosuch"], /; `sim state base --json` lists all artifacts$/],
    [["state", "base", "handbok_toc"], /; did you mean `handbook_toc`\?$/],
  ] as const)("is answered with the next step: sim %j", (args, message) => {
    expect(problemOf(...args)).toMatch(message);
  });

  it("can be an agent that existed before the fork", () => {
    const fork = ["fork", "base", "--duration", "5", "--name", "later", "--quiet"];
    expect(sim(folder, ...fork, "--max-actions", "20").code).toBe(0);
    const said = sim(folder, "events", "later", "--principal", "ada", "--limit", "1");
    expect(said).toMatchObject({ code: 0, err: "" });
    expect(problemOf("events", "later", "--principal", "adaa")).toMatch(/did you mean `ada`\?$/);
  });
});

it("sim events without a match prints a note, except with --quiet or --json", () => {
  const asked = ["events", "base", "--kind", "agent_frozen", "--principal", "ada"];
  const line = "no event of this run matches --kind agent_frozen --principal ada\n";
  expect(sim(folder, ...asked)).toEqual({ code: 0, out: "", err: line });
  expect(sim(folder, ...asked, "--quiet")).toEqual({ code: 0, out: "", err: "" });
  expect(sim(folder, ...asked, "--json")).toEqual({ code: 0, out: "", err: "" });
  expect(sim(folder, "events", "base", "--limit", "1").err).toBe("");
});

describe("the table of agents", () => {
  const LINE = /^earned and paid exclude .*`sim report RUN --csv DIR` writes all figures$/m;

  it("is followed by a line that says what it leaves out", () => {
    const flags = ["--duration", "5", "--name", "summed", "--max-actions", "9"];
    const ran = sim(folder, "fork", "base", ...flags);
    for (const out of [ran.out, sim(folder, "report", "base").out]) {
      expect(out).toMatch(/^thoughts {2}\d+, 0 failed, 0 USD to model providers$/m);
      expect(out.search(/^agent\t/m)).toBeGreaterThan(0);
      expect(out.search(LINE)).toBeGreaterThan(out.search(/^agent\t/m));
    }
  });

  it("adds up in the CSV table that the line names", () => {
    expect(sim(folder, "report", "base", "--csv", "tables").code).toBe(0);
    const [head = [], ...rows] = readFileSync(join(folder, "tables", "principals.csv"), "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(","));
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) {
      const of = (name: string): number => Number(row[head.indexOf(name)]);
      expect(of("wealth")).toBe(of("began_with") + of("received") - of("given"));
    }
  });
});

it("sim state marks the artifacts of genesis", () => {
  const said = (id: string): string => sim(folder, "state", "base", id).out;
  expect(said("handbook_toc")).toContain("\nhandbook of genesis\n");
  expect(said("genesis_mint")).toContain("\npart of genesis\n");
  expect(said("ada")).toContain(" of ada, created by ada\n");
});
