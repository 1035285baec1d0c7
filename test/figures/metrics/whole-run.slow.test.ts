import { beforeAll, describe, expect, it } from "vitest";
import {
  agentStatus,
  countedFrom,
  LogEntry,
  measureRun,
  newMeter,
  type RunMetrics,
} from "../../../src/figures/index.ts";
import { worldRow } from "../../../src/kernel/index.ts";
import { type Journal, restore } from "../../../src/world/index.ts";
import { checkpointAt, simulate, withJournal } from "../../support/simulation-run.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";

type PrincipalMetrics = RunMetrics["principals"][number];

const out = sharedFolder();
let folder: string;
let forked: string;

beforeAll(async () => {
  folder = (await simulate(out, { sets: ["run.duration_s=90"] })).folder;
  const from = await checkpointAt(folder, await withJournal(folder, halfOf));
  forked = (await simulate(out, { from, sets: ["run.duration_s=90"] })).folder;
});

const halfOf = (journal: Journal): number =>
  journal.transactionEnd(journal.head().seq >> 1) ?? journal.head().seq;

/** The wealth in the figures is that of the state. */
const hasTheSameBooks = (journal: Journal, metrics: RunMetrics): void => {
  const { state } = restore(journal, { upTo: metrics.last_seq });
  const told = new Map(metrics.principals.map(({ id, wealth }) => [id, wealth]));
  const kept = [...state.accounts.rows()].map(({ id, scrip, held }) => [id, scrip + held] as const);
  expect(kept.map(([id]) => [id, told.get(id) ?? 0])).toEqual(kept);
  const { endowed, minted, burned } = worldRow(state).supply;
  expect(metrics.money.supply).toBe(endowed + minted - burned);
  const states = [...state.agents.rows()].sort((a, b) => a.order - b.order);
  const agents = metrics.principals.filter(({ agent }) => agent);
  expect(agents.map((each) => [each.id, each.state])).toEqual(
    states.map((each) => [each.id, agentStatus(each)]),
  );
};

/** Income from services is the revenue of the services. */
const sellsWhatItEarns = ({ principals, services }: RunMetrics): void => {
  const told = new Map<string, number>();
  for (const { seller, revenue } of services) told.set(seller, (told.get(seller) ?? 0) + revenue);
  const earned = principals.map(({ id, income }) => [id, income.services] as const);
  expect(told).toEqual(new Map(earned.filter(([, amount]) => amount > 0)));
};

/** Scrip received and given, by reason, adds up to the wealth. */
const balances = ({ principals }: RunMetrics): void => {
  const sum = (parts: PrincipalMetrics["given_by"]): number =>
    Object.values(parts).reduce((all, part) => all + part, 0);
  const wealth = principals.map((each) => [each.id, each.wealth]);
  expect(principals.map((p) => [p.id, p.began_with + p.received - p.given])).toEqual(wealth);
  const byReason = principals.map((p) => p.began_with + sum(p.received_by) - sum(p.given_by));
  expect(byReason).toEqual(principals.map((p) => p.wealth));
};

describe("the figures of a run", () => {
  it("equal the balances of the state, at the end and before", async () => {
    await withJournal(folder, (journal) => {
      const last = journal.head().seq;
      for (const at of [last, last >> 1, last >> 2, last >> 3]) {
        hasTheSameBooks(journal, measureRun(journal, journal.transactionEnd(at) ?? at).metrics());
      }
    });
  });

  it("list the income of each seller by program", async () => {
    for (const run of [folder, forked]) {
      await withJournal(run, (journal) => sellsWhatItEarns(measureRun(journal).metrics()));
    }
  });

  it("explain the wealth of each principal", async () => {
    for (const run of [folder, forked]) {
      await withJournal(run, (journal) => balances(measureRun(journal).metrics()));
    }
  });

  it("start with the balances of the parent run", async () => {
    await withJournal(forked, (journal) => {
      const metrics = measureRun(journal).metrics();
      expect(metrics.from_seq).toBe(countedFrom(journal).seq);
      expect(metrics.from_seq).toBeGreaterThan(0);
      hasTheSameBooks(journal, metrics);
      expect(metrics.timeline.supply[0]).toBeGreaterThan(0);
    });
  });

  it("are the same if they are read while the run is counted", async () => {
    await withJournal(folder, (journal) => {
      const follower = newMeter(journal);
      for (const row of journal.events()) {
        follower.event(new LogEntry(row));
        if (row.seq % 500 === 0) follower.metrics();
      }
      expect(follower.metrics()).toEqual(measureRun(journal).metrics());
    });
  });
});
