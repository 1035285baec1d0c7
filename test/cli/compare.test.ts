import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { emptyFolder, makeRun, type SimResult, setFlags, sim } from "../support/sim.ts";

const rows = z.array(
  z.object({ name: z.string(), values: z.array(z.union([z.number(), z.string()]).nullable()) }),
);
const comparison = z.object({
  runs: z.array(z.string()),
  settings: rows,
  figures: rows,
  wealth: rows,
});
type Rows = z.infer<typeof rows>;
type Value = Rows[number]["values"][number];

const folder = emptyFolder();

const compared = new Map<string, SimResult>();

/** Compares finished runs, once for all tests. */
const compare = (...args: readonly string[]): SimResult => {
  const key = args.join(" ");
  const said = compared.get(key) ?? sim(folder, "compare", ...args);
  compared.set(key, said);
  return said;
};

/** The tables of the text as it is piped: each a head and rows, cells between tabs. */
const tablesOf = (...runs: readonly string[]): readonly (readonly (readonly string[])[])[] => {
  const { out } = compare(...runs);
  const [, ...tables] = out.trimEnd().split("\n\n");
  return tables.map((table) => table.split("\n").map((line) => line.split("\t")));
};

const documentOf = (...runs: readonly string[]): z.infer<typeof comparison> =>
  comparison.parse(JSON.parse(compare(...runs, "--json").out));

/** What a cell says of a further run: nothing where there are no two numbers. */
const expectDifference = (cell: string, [first, other]: readonly (Value | undefined)[]): void => {
  if (typeof first !== "number" || typeof other !== "number") {
    expect(cell).toBe("-");
    return;
  }
  expect(Number(cell)).toBeCloseTo(other - first, 6);
  expect(cell).toMatch(other > first ? /^\+\d/ : other < first ? /^-\d/ : /^0$/);
  // No digits that come of nothing but adding up binary fractions.
  expect(cell).toMatch(/^[+-]?\d+(\.\d{1,6})?$/);
};

/** That a table has a row for each of the document, with values and differences. */
const expectTable = (table: readonly (readonly string[])[] = [], of: Rows): void => {
  const [, ...lines] = table;
  expect(lines.length).toBe(of.length);
  for (const [at, { values }] of of.entries()) {
    const [, ...cells] = lines[at] ?? [];
    const [first, ...others] = values;
    expect(cells.slice(0, values.length)).toEqual(values.map((value) => String(value ?? "-")));
    const differences = cells.slice(values.length);
    expect(differences.length).toBe(others.length);
    for (const [which, cell] of differences.entries()) {
      expectDifference(cell, [first, others[which]]);
    }
  }
};

beforeAll(() => {
  makeRun(folder, { name: "plain", seconds: 15 });
  makeRun(folder, { name: "rich", seconds: 15 }, ...setFlags("scrip.starting_amount=130"));
  makeRun(folder, { name: "few", seconds: 15 }, "--only", "ada,cora,fermi");
});

describe("sim compare, of two runs that differ in one setting", () => {
  it("shows the setting with both values", () => {
    const [settings] = tablesOf("plain", "rich");
    expect(compare("plain", "rich").code).toBe(1);
    expect(settings).toEqual([
      ["setting", "plain", "rich"],
      ["scrip.starting_amount", "100", "130"],
    ]);
    expect(documentOf("plain", "rich").settings).toEqual([
      { name: "scrip.starting_amount", values: ["100", "130"] },
    ]);
  });

  it("shows the difference of each figure and of each agent's wealth", () => {
    const [, figures, wealth] = tablesOf("plain", "rich");
    const { figures: counted, wealth: owned } = documentOf("plain", "rich");
    expect(figures?.[0]).toEqual(["figure", "plain", "rich", "difference"]);
    expect(wealth?.[0]).toEqual(["wealth of", "plain", "rich", "difference"]);
    expectTable(figures, counted);
    expectTable(wealth, owned);
    expect(wealth?.slice(1).map(([id]) => id)).toEqual(owned.map(({ name }) => name));
  });

  it("has positive, negative and zero differences", () => {
    const [, figures] = tablesOf("plain", "rich");
    const signs = new Set(figures?.slice(1).map(([, , , cell]) => Math.sign(Number(cell))));
    expect(signs).toEqual(new Set([-1, 0, 1]));
    expect(figures).toContainEqual(expect.arrayContaining(["total scrip", "+90"]));
  });

  it("reverses the signs when the runs are swapped", () => {
    const there = documentOf("plain", "rich").figures;
    const [, back] = tablesOf("rich", "plain");
    expectTable(
      back,
      there.map(({ name, values }) => ({ name, values: values.toReversed() })),
    );
  });
});

describe("sim compare, of runs without forks", () => {
  it("compares figures and no events, because the runs share no past", () => {
    const { out } = compare("plain", "rich");
    const text =
      /^rich and plain share no past, .*: (\d+) figures and the wealth of (\d+) agents d/;
    const [, figures, agents] = text.exec(out) ?? [];
    const { figures: counted, wealth } = documentOf("plain", "rich");
    const differing = (of: Rows) => of.filter(({ values: [a, b] }) => a !== b).length;
    expect([Number(figures), Number(agents)]).toEqual([differing(counted), differing(wealth)]);
    expect(JSON.parse(compare("plain", "rich", "--json").out).divergences[0].related).toBe(false);
  });

  it("exits with 0 for the same run under two names", () => {
    makeRun(folder, { name: "repeated", seconds: 15 });
    const { code, out } = compare("plain", "repeated");
    expect(out).toMatch(/^repeated has the same events as plain \(\d+ from the start\)\n/);
    expect(code).toBe(0);
  });
});

it("sim compare finds equal figures, and shows agents with the names of figures and members", () => {
  const ids = ["constructor", "gini", "hasOwnProperty", "refused", "toString"];
  for (const id of ids) {
    const agent = join(folder, "odd", id);
    mkdirSync(agent, { recursive: true });
    writeFileSync(join(agent, "agent.yaml"), `id: ${id}\nmind: policy/worker\n`);
  }
  const odd = ["--agents", "odd", "--seed"];
  makeRun(folder, { name: "odd-1", seconds: 5 }, ...odd, "1");
  makeRun(folder, { name: "odd-2", seconds: 5 }, ...odd, "2");
  const { code, out } = compare("odd-1", "odd-2");
  expect(out).toMatch(
    /^odd-2 and odd-1 share no past, .*: no figures and the wealth of no agents d/,
  );
  expect(code).toBe(0);
  const wealth = tablesOf("odd-1", "odd-2").at(-1) ?? [];
  expect(wealth.slice(1).map(([id]) => id)).toEqual(ids);
});

describe("sim compare, of more than two runs", () => {
  it("has a column of differences from the first run for each other run", () => {
    const [, figures, wealth] = tablesOf("plain", "rich", "few");
    const { figures: counted, wealth: owned } = documentOf("plain", "rich", "few");
    const heads = ["plain", "rich", "few", "rich differs by", "few differs by"];
    expect(figures?.[0]).toEqual(["figure", ...heads]);
    expect(wealth?.[0]).toEqual(["wealth of", ...heads]);
    expectTable(figures, counted);
    expectTable(wealth, owned);
  });

  it("reports no difference for an agent that is in neither run", () => {
    const [, , wealth] = tablesOf("plain", "rich", "few");
    const boole = wealth?.find(([id]) => id === "boole");
    expect(boole?.[3]).toBe("-");
    expect(boole?.[5]).toBe("-");
  });
});

it("runs whose seeds and other settings differ are a case for sim experiment, says a note", () => {
  const cwd = emptyFolder();
  makeRun(cwd, { name: "one", seconds: 2 });
  makeRun(cwd, { name: "two", seconds: 2 }, "--seed", "2");
  makeRun(cwd, { name: "three", seconds: 2 }, "--seed", "2", ...setFlags("mint.slots=4"));
  expect(sim(cwd, "compare", "one", "three").err).toContain("`sim experiment` compares settings");
  for (const [run, other] of [
    ["one", "two"],
    ["two", "three"],
  ] as const) {
    expect(sim(cwd, "compare", run, other).err).not.toContain("sim experiment");
  }
});
