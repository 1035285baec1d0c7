import { basename } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Activity,
  ActivityCounter,
  agentsIn,
  countedFrom,
  economyOf,
  economyReport,
  measureRun,
  modelCallReport,
  runFigures,
  wealthIn,
} from "../../src/figures/index.ts";
import { worldRow } from "../../src/kernel/index.ts";
import { agentRows, agentView, artifactRows } from "../../src/page/routes/agents.ts";
import { RunReader } from "../../src/page/routes/reader/run-reader.ts";
import { artifactReport, compareRuns } from "../../src/read/index.ts";
import { isRunEvent, type Journal, restore } from "../../src/world/index.ts";
import { decodeEvent } from "../../src/world/journal/wire-codec.ts";
import { dashboardOf } from "../support/dashboard.ts";
import { checkpointAt, simulate, withJournal } from "../support/simulation-run.ts";
import { sharedFolder } from "../support/temporary-folder.ts";

/** The newest artifacts are programs. */
const ARTIFACTS_LOOKED_AT = 15;
const SETS = ["run.duration_s=60", "run.seed=3"];
const out = sharedFolder();

/** A whole run, and unchanged forks of it. */
let wholeFolder = "";
const forks: { readonly seq: number; readonly folder: string }[] = [];

beforeAll(async () => {
  const ended = await simulate(out, { sets: SETS });
  wholeFolder = ended.folder;
  for (const part of [0.3, 0.9]) {
    const from = await checkpointAt(wholeFolder, Math.floor(part * ended.lastSeq));
    const fork = await simulate(out, { agents: null, sets: SETS, from });
    expect(fork.stateHash).toBe(ended.stateHash);
    forks.push({ seq: from.seq, folder: fork.folder });
  }
});

/** Checks each fork against its parent. */
const onEachFork = async (
  look: (fork: Journal, parent: Journal, seq: number) => void,
): Promise<void> => {
  expect(forks.length).toBe(2);
  for (const { folder, seq } of forks) {
    await withJournal(wholeFolder, (parent) =>
      withJournal(folder, (fork) => look(fork, parent, seq)),
    );
  }
};

/** All numbers in a value, by their path. */
const numbersIn = (value: unknown, place = ""): readonly (readonly [string, number])[] => {
  if (typeof value === "number") return [[place, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => numbersIn(each, `${place}.${key}`));
};

const tallyUpTo = (journal: Journal, seq: number): Activity => {
  const sheet = new ActivityCounter();
  for (const row of journal.events({ upTo: seq })) {
    if (!isRunEvent(row.kind)) sheet.count(decodeEvent(row));
  }
  return sheet.total();
};

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

describe("the figures of a fork", () => {
  it("name the event that they count from", () =>
    onEachFork((fork, parent, seq) => {
      const [event] = parent.events({ after: seq - 1, upTo: seq });
      const run = basename(wholeFolder);
      expect(countedFrom(fork)).toEqual({ run, seq, at_ms: event?.atMs });
      expect(countedFrom(parent)).toEqual({ run: null, seq: 0, at_ms: 0 });
    }));

  it("equal those of the parent from the fork", () =>
    onEachFork((fork, parent) => {
      const [own, others] = [runFigures(fork), runFigures(parent, countedFrom(fork))];
      expect(own.activity).toEqual(others.activity);
      const { state } = restore(fork);
      expect(economyOf(state, own.activity)).toEqual(
        economyOf(restore(parent).state, others.activity),
      );
      for (const { id } of agentsIn(state)) {
        expect([id, own.actionsOf(id), own.incomeOf(id)]).toEqual([
          id,
          others.actionsOf(id),
          others.incomeOf(id),
        ]);
      }
    }));

  it("add up with those before the fork to those of the parent", () =>
    onEachFork((fork, parent, seq) => {
      const before = new Map(numbersIn(tallyUpTo(parent, seq)));
      const own = new Map(numbersIn(runFigures(fork).activity));
      const all = numbersIn(runFigures(parent).activity);
      expect(all.filter(([, figure]) => figure > 0).length).toBeGreaterThan(12);
      const added = all.map(([place]) => [place, (before.get(place) ?? 0) + (own.get(place) ?? 0)]);
      expect(added).toEqual(all);
    }));

  it("agree with each other", () =>
    onEachFork((fork) => {
      const reading = runFigures(fork);
      const { state } = restore(fork);
      const begun = restore(fork, { upTo: countedFrom(fork).seq }).state;
      const { economy, agents, trades_by_kind } = economyReport(
        reading,
        state,
        modelCallReport(fork),
      );
      const { actions } = reading.activity;
      expect(sum(agents.map((agent) => agent.actions))).toBe(actions.total);
      expect(sum(agents.map((agent) => agent.succeeded))).toBe(actions.succeeded);
      expect(sum(Object.values(actions.by_type))).toBe(actions.total);
      expect(sum(Object.values(actions.by_error))).toBe(actions.failed);
      expect(sum(Object.values(trades_by_kind))).toBe(economy.trades);
      expect(trades_by_kind.service).toBe(economy.invocations_paid);
      const scripIn = (at: typeof state): number =>
        sum([...at.accounts.rows()].map(({ id }) => wealthIn(at, id))) + worldRow(at).undistributed;
      const grown = economy.scrip_minted - economy.scrip_burned;
      expect(scripIn(state)).toBe(scripIn(begun) + grown);
      expect(economy.scrip_total).toBe(scripIn(state));
      expect(reading.events).toBe(reading.lastSeq - countedFrom(fork).seq);
    }));

  it("are compared with the parent from the same event", () =>
    onEachFork((fork, parent, seq) => {
      const [one, other] = [parent, fork].map((journal, at) => ({
        id: `run ${at}`,
        journal,
        state: restore(journal).state,
        settings: new Map<string, string>(),
      }));
      if (one === undefined || other === undefined) throw new Error("two runs");
      for (const isSwapped of [false, true]) {
        const [first, second] = isSwapped ? [other, one] : [one, other];
        const { same, counted_from, figures, wealth } = compareRuns(first, [second]);
        const starts = counted_from.map((base) => base.seq);
        expect({ same, starts }).toEqual({ same: true, starts: [seq, seq] });
        expect([...figures, ...wealth].filter(({ values: [a, b] }) => a !== b)).toEqual([]);
      }
    }));

  it("are the same on the dashboard and in the report", () =>
    onEachFork((fork) => {
      const reader = new RunReader(fork);
      const { now, earlier } = reader;
      const { principals, services } = measureRun(fork).metrics();
      expect(principals.some((each) => each.in_own_programs > 0)).toBe(true);
      for (const row of agentRows(now, earlier)) {
        const { id, actions, succeeded, thoughts } = row;
        const in_own_programs = agentView(now, id, earlier)?.in_own_programs;
        const figures = { actions, succeeded, thoughts, in_own_programs };
        expect(principals.find((each) => each.id === id)).toMatchObject(figures);
      }
      const rows = artifactRows(now, earlier);
      expect(services.length).toBeGreaterThan(0);
      for (const row of rows.slice(-ARTIFACTS_LOOKED_AT)) {
        const { invocations, revenue } = reported(fork, now.state, { id: row.id, version: null });
        expect([row.id, row.invocations, row.revenue]).toEqual([row.id, invocations, revenue]);
      }
    }));

  it("of a period are those of the parent in the period", async () => {
    const { origin } = new URL((await dashboardOf(out)).addressOf(null));
    const asked = async (folder: string, query: string) => {
      const run = `${origin}/api/runs/${basename(folder)}`;
      const answers = [`${run}/period?${query}`, `${run}/trade?${query}`].map(async (address) =>
        JSON.parse(await (await fetch(address)).text()),
      );
      const [period, trade] = await Promise.all(answers);
      const { network, payments, turnover } = trade;
      return { wealth: period.wealth, sums: period.sums, payments, turnover, network };
    };
    for (const { folder } of forks) {
      const last = await asked(folder, "from=57s&to=59.5s");
      expect(last).toEqual(await asked(wholeFolder, "from=57s&to=59.5s"));
      expect(last.payments).toBeGreaterThan(0);
      // A period cannot begin before the fork.
      expect(await asked(folder, "from=0s")).toEqual(await asked(folder, ""));
    }
  });

  it("of an artifact come with its text, even if that is older than the fork", () =>
    onEachFork((fork, parent, seq) => {
      const [here, there] = [restore(fork).state, restore(parent).state];
      const begun = restore(fork, { upTo: seq }).state;
      const known = [...begun.artifacts.rows()].filter(({ deleted }) => deleted === null);
      expect(known.length).toBeGreaterThan(20);
      for (const { id, version } of known.slice(-ARTIFACTS_LOOKED_AT)) {
        const report = reported(fork, here, { id, version: null });
        const whole = reported(parent, there, { id, version: null });
        const { content, code, methods, price, last_version } = whole;
        expect(report).toMatchObject({ content, code, methods, price, last_version });
        const before = begun.trades.get(id);
        expect(report.invocations).toBe(whole.invocations - (before?.calls ?? 0));
        expect(report.revenue).toBe(whole.revenue - (before?.revenue ?? 0));
        expect(sum(report.customers.map(({ calls }) => calls))).toBe(report.invocations_by_others);
        expect(report.versions).toEqual(whole.versions.slice(version));
        if (version === 1) continue;
        expect(artifactReport(fork, here, { id, version: 1 })).toBe(
          `version 1 of ${id} was written before the fork; see ${basename(wholeFolder)}`,
        );
      }
    }));
});

const reported = (...about: Parameters<typeof artifactReport>) => {
  const report = artifactReport(...about);
  if (typeof report === "string") throw new Error(report);
  return report;
};
