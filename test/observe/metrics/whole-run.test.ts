import { beforeAll, describe, expect, it } from "vitest";
import { wholeOf } from "../../../src/kernel/index.ts";
import { countedFrom, measureRun, newMeter, type RunMetrics } from "../../../src/observe/index.ts";
import { type Journal, restore } from "../../../src/world/index.ts";
import { cutAt, folderOfTests, runWhole, withJournal } from "../../support/whole-run.ts";

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
    states.map((each) => [each.id, each.state]),
  );
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
