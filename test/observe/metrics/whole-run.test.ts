import { beforeAll, describe, expect, it } from "vitest";
import { wholeOf } from "../../../src/kernel/index.ts";
import {
  countedFrom,
  measureRun,
  newMeter,
  type RunMetrics,
  standingOf,
} from "../../../src/observe/index.ts";
import { type Journal, restore } from "../../../src/world/index.ts";
import { cutAt, folderOfTests, runWhole, withJournal } from "../../support/whole-run.ts";

type PrincipalMetrics = RunMetrics["principals"][number];

const out = folderOfTests();
let folder: string;
let forked: string;

beforeAll(async () => {
  const run = await runWhole(out, { sets: ["run.duration_s=90"] });
  folder = run.folder;
  const from = await cutAt(folder, await withJournal(folder, halfOf));
  forked = (await runWhole(out, { from, sets: ["run.duration_s=90"] })).folder;
});

const halfOf = (journal: Journal): number =>
  journal.transactionEnd(journal.head().seq >> 1) ?? journal.head().seq;

/** What everybody has, in the figures and in the books. */
const hasTheSameBooks = (journal: Journal, metrics: RunMetrics): void => {
  const { state } = restore(journal, { upTo: metrics.last_seq });
  const told = new Map(metrics.principals.map(({ id, wealth }) => [id, wealth]));
  const kept = [...state.accounts.rows()].map(({ id, scrip, held }) => [id, scrip + held] as const);
  expect(kept.map(([id]) => [id, told.get(id) ?? 0])).toEqual(kept);
  const { endowed, minted, burned } = wholeOf(state).supply;
  expect(metrics.money.supply).toBe(endowed + minted - burned);
  const states = [...state.agents.rows()].sort((a, b) => a.order - b.order);
  const agents = metrics.principals.filter(({ agent }) => agent);
  expect(agents.map((each) => [each.id, each.state])).toEqual(
    states.map((each) => [each.id, standingOf(each)]),
  );
};

/** Whoever received anything by its programs has it of calls that name it as their seller. */
const sellsWhatItEarns = ({ principals, services }: RunMetrics): void => {
  const told = new Map<string, number>();
  for (const { seller, revenue } of services) told.set(seller, (told.get(seller) ?? 0) + revenue);
  const earned = principals.map(({ id, income }) => [id, income.services] as const);
  expect(Object.fromEntries(told)).toEqual(
    Object.fromEntries(earned.filter(([, amount]) => amount > 0)),
  );
};

/** What came and went explains what there is, and each part of it has a name. */
const balances = ({ principals }: RunMetrics): void => {
  const sum = (parts: PrincipalMetrics["given_by"]): number =>
    Object.values(parts).reduce((all, part) => all + part, 0);
  const wealth = principals.map((each) => [each.id, each.wealth]);
  expect(principals.map((p) => [p.id, p.began_with + p.received - p.given])).toEqual(wealth);
  expect(
    principals.map((p) => [p.id, p.began_with + sum(p.received_by) - sum(p.given_by)]),
  ).toEqual(wealth);
};

describe("the figures of a run", () => {
  it("have the sums that the books have, at the end and at any moment before", async () => {
    await withJournal(folder, (journal) => {
      const last = journal.head().seq;
      for (const at of [last, last >> 1, last >> 2, last >> 3]) {
        const upTo = journal.transactionEnd(at) ?? at;
        hasTheSameBooks(journal, measureRun(journal, upTo).metrics());
      }
    });
  });

  it("name for each program and seller what that seller earned with it", async () => {
    for (const run of [folder, forked]) {
      await withJournal(run, (journal) => sellsWhatItEarns(measureRun(journal).metrics()));
    }
  });

  it("say of every principal what came and went, so that its wealth is explained", async () => {
    for (const run of [folder, forked]) {
      await withJournal(run, (journal) => balances(measureRun(journal).metrics()));
    }
  });

  it("tell what programs hold for whoever owns them", async () => {
    await withJournal(folder, (journal) => {
      const { state } = restore(journal);
      const { principals } = measureRun(journal).metrics();
      const ownedBy = (owner: string): number =>
        [...state.accounts.rows()]
          .filter(({ id }) => state.agents.get(id) === undefined)
          .filter(({ id }) => state.artifacts.get(id)?.owner === owner && id !== owner)
          .reduce((sum, { scrip, held }) => sum + scrip + held, 0);
      const told = principals.filter(({ agent }) => agent);
      expect(told.map((each) => [each.id, each.in_own_programs])).toEqual(
        told.map(({ id }) => [id, ownedBy(id)]),
      );
      expect(told.some((each) => each.in_own_programs > 0)).toBe(true);
    });
  });

  it("begin with the books of the run that it goes on from", async () => {
    await withJournal(forked, (journal) => {
      const metrics = measureRun(journal).metrics();
      expect(metrics.from_seq).toBe(countedFrom(journal).seq);
      expect(metrics.from_seq).toBeGreaterThan(0);
      hasTheSameBooks(journal, metrics);
      expect(metrics.timeline.supply[0]).toBeGreaterThan(0);
    });
  });

  it("are the same each time, also for whoever follows it step by step", async () => {
    await withJournal(folder, (journal) => {
      const follower = newMeter(journal);
      for (const row of journal.events()) {
        follower.count(row);
        if (row.seq % 500 === 0) follower.metrics();
      }
      expect(follower.metrics()).toEqual(measureRun(journal).metrics());
    });
  });
});
