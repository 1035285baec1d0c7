import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { Balances, stateCountedFrom, type Timeline } from "../../../src/figures/index.ts";
import { gini } from "../../../src/figures/metrics/statistics.ts";
import type { PeriodTrade } from "../../../src/page/routes/index.ts";
import type {
  AgentOverTime,
  Change,
  ExplainedMover,
  PeriodChanges,
  RunJumps,
} from "../../../src/read/index.ts";
import { paymentIn } from "../../../src/run/index.ts";
import { decodeEvent, isRunEvent, type JournalReader, restore } from "../../../src/world/index.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { type FinishedRun, simulate, withJournal } from "../../support/simulation-run.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";

const out = sharedFolder();
let run: FinishedRun;
beforeAll(async () => {
  run = await simulate(join(out, "runs"), { runId: "market", sets: ["run.duration_s=120"] });
});

const api = async () => {
  const { origin } = new URL((await dashboardOf(join(out, "runs"))).addressOf("market"));
  return async <Answer>(path: string): Promise<Answer> =>
    JSON.parse(await (await fetch(`${origin}/api/runs/market${path}`)).text());
};

/** An auction ends exactly at the start. */
const [FROM, TO] = [60_000, 110_500];
const PERIOD = "from=1:00&to=110.5s";

/** The events of a journal with their numbers and times. */
const eventsOf = (journal: JournalReader) =>
  [...journal.events()].flatMap((row) =>
    isRunEvent(row.kind) ? [] : [{ seq: row.seq, ...decodeEvent(row) }],
  );

/** The last event that is not after a time. */
const lastAt = (journal: JournalReader, ms: number): number =>
  [...journal.events()].findLast(({ atMs }) => atMs <= ms)?.seq ?? 0;

/** The wealth of all agents after the events up to a time. */
const wealthAt = (journal: JournalReader, ms: number) => {
  const { state } = restore(journal, { upTo: lastAt(journal, ms) });
  return new Map(
    [...state.agents.rows()].map(({ id }) => {
      const account = state.accounts.get(id);
      return [String(id), (account?.scrip ?? 0) + (account?.held ?? 0)];
    }),
  );
};

/** All payments between principals in a period, both ends included. */
const paymentsOf = (journal: JournalReader, fromMs: number, toMs: number) => {
  const books = new Balances(stateCountedFrom(journal));
  return eventsOf(journal).flatMap((event) => {
    const paid = paymentIn(event, (hold) => books.ownerOf(hold));
    books.count(event);
    const { seq, at_ms } = event;
    return paid !== null && at_ms >= fromMs && at_ms <= toMs ? [{ ...paid, seq, at_ms }] : [];
  });
};

type Payment = ReturnType<typeof paymentsOf>[number];

const sumOf = (amounts: readonly { readonly amount: number }[]): number =>
  amounts.reduce((sum, { amount }) => sum + amount, 0);

it("gives the figures and the wealth at the ends of a period, not at samples", async () => {
  const ask = await api();
  const found = await ask<PeriodChanges>(`/period?${PERIOD}`);
  expect([found.from_ms, found.to_ms]).toEqual([FROM, TO]);
  await withJournal(run.folder, async (journal) => {
    const [before, after] = [wealthAt(journal, FROM - 1), wealthAt(journal, TO)];
    const figure = (name: string) => found.figures.find((each: Change) => each.name === name);
    expect(figure("Gini")?.from).toBeCloseTo(gini([...before.values()]), 12);
    expect(figure("Gini")?.to).toBeCloseTo(gini([...after.values()]), 12);
    const changes = [...after]
      .map(([name, to]) => ({ name, from: before.get(name) ?? 0, to }))
      .filter(({ from, to }) => from !== to);
    expect(changes.length).toBeGreaterThan(3);
    const sizes = changes.map(({ from, to }) => Math.abs(to - from)).sort((a, b) => b - a);
    expect(found.wealth.map(({ from, to }) => Math.abs(to - from))).toEqual(sizes.slice(0, 8));
    expect(changes).toEqual(expect.arrayContaining([...found.wealth]));
    const inPeriod = eventsOf(journal).filter(({ at_ms }) => at_ms >= FROM && at_ms <= TO);
    const minted = inPeriod.filter((event) => event.kind === "scrip_minted");
    expect(minted.some(({ at_ms }) => at_ms === FROM)).toBe(true);
    expect(found.sums.minted).toBe(sumOf(minted));
    const [first, last] = [figure("scrip")?.from ?? 0, figure("scrip")?.to ?? 0];
    expect(last - first).toBe(found.sums.minted - found.sums.burned);
    expect(found.sums.turnover).toBe(sumOf(paymentsOf(journal, FROM, TO)));
  });
});

it("says which programs moved the prices of a period, and who set the new prices", async () => {
  const ask = await api();
  const { movers } = await ask<PeriodChanges>(`/period?${PERIOD}`);
  expect(movers.length).toBeGreaterThan(0);
  await withJournal(run.folder, async (journal) => {
    const events = eventsOf(journal);
    for (const mover of movers) {
      const sales = events.flatMap((event) =>
        event.kind === "artifact_invoked" && event.artifact_id === mover.artifact && event.price > 0
          ? [event]
          : [],
      );
      const inPeriod = sales.filter(({ at_ms }) => at_ms >= FROM && at_ms <= TO);
      const before = sales.findLast(({ at_ms }) => at_ms < FROM);
      expect(mover).toMatchObject({
        first_price: (before ?? inPeriod[0])?.price,
        last_price: inPeriod.at(-1)?.price,
        sales: inPeriod.length,
      });
      const edit = events.find(({ seq }) => seq === mover.edit?.seq);
      expect(edit).toMatchObject({
        kind: "artifact_written",
        artifact_id: mover.artifact,
        by: mover.edit?.by,
        fields: { price: mover.edit?.to },
      });
      expect(Math.sign(Math.log(mover.factor))).toBe(
        Math.sign((mover.edit?.to ?? 0) - (mover.edit?.from ?? 0)),
      );
    }
  });
  const whole = await ask<{ movers: readonly ExplainedMover[] }>("/overview");
  expect(whole.movers.some(({ edit }) => edit !== null)).toBe(true);
});

it("splits the change of the price index of a period into what all programs did", async () => {
  const ask = await api();
  const { movers, figures } = await ask<PeriodChanges>("/period?from=45s&to=48s");
  const index = figures.find(({ name }) => name === "price index");
  expect(movers.length).toBeGreaterThan(0);
  // The page shows at most five programs of each direction, which are all of them here.
  const rising = movers.filter(({ factor }) => factor > 1).length;
  expect(Math.max(rising, movers.length - rising)).toBeLessThan(5);
  const product = movers.reduce((all, { factor }) => all * factor, 1);
  expect(product).toBeCloseTo((index?.to ?? 0) / (index?.from ?? 1), 9);
});

it("ends a period at the shown moment, and leaves out one that comes later", async () => {
  const ask = await api();
  const at = await withJournal(run.folder, async (journal) => lastAt(journal, 80_000));
  const { at_ms: shownMs } = await ask<{ at_ms: number }>(`/events/${at}`);
  const found = await ask<PeriodChanges>(`/period?${PERIOD}&at=${at}`);
  expect([found.from_ms, found.to_ms]).toEqual([FROM, shownMs]);
  const same = await ask<PeriodChanges>(`/period?from=60s&to=80s`);
  expect({ ...found, to_ms: 80_000 }).toEqual(same);
  const later = await ask<PeriodChanges>(`/period?from=100s&to=110s&at=${at}`);
  expect(later).toMatchObject({ wealth: [], movers: [], sums: { turnover: 0 } });
  expect(later.to_ms).toBeLessThan(later.from_ms);
});

it("counts a whole run like a period without ends", async () => {
  const ask = await api();
  const { sums, figures, to_ms } = await ask<PeriodChanges>("/period?");
  const { money, wealth, at_ms } = await ask<{
    money: { minted: number; turnover: number };
    wealth: { gini: number };
    at_ms: number;
  }>("/metrics");
  expect(to_ms).toBe(at_ms);
  expect(sums).toMatchObject({ minted: money.minted, turnover: money.turnover });
  expect(figures[0]?.to).toBe(wealth.gini);
  const trade = await ask<PeriodTrade>("/trade?");
  const { network } = await ask<{ network: PeriodTrade["network"] }>("/metrics");
  expect(trade.network).toEqual(network);
});

it("sums only the payments of a period in the network of trade", async () => {
  const ask = await api();
  const { network, payments, turnover } = await ask<PeriodTrade>(`/trade?${PERIOD}`);
  const paid = await withJournal(run.folder, async (journal) => paymentsOf(journal, FROM, TO));
  expect(paid.length).toBeGreaterThan(10);
  expect([payments, turnover]).toEqual([paid.length, sumOf(paid)]);
  const pairs = Map.groupBy(paid, ({ from, to }) => `${from} ${to}`);
  expect(new Map(network.edges.map(({ from, to, amount }) => [`${from} ${to}`, amount]))).toEqual(
    new Map([...pairs].map(([pair, own]) => [pair, sumOf(own)])),
  );
});

it("gives each period its ends, also if the events of two are the same", async () => {
  const ask = await api();
  const at = await withJournal(run.folder, async (journal) => {
    const times = [...journal.events()].map(({ atMs }) => atMs);
    return times.find((ms) => ms > 0 && !times.includes(ms + 1)) ?? 0;
  });
  for (const toMs of [at, at + 1, at]) {
    const path = `?from=0s&to=${toMs}ms`;
    expect(await ask<PeriodTrade>(`/trade${path}`)).toMatchObject({ from_ms: 0, to_ms: toMs });
  }
});

it("finds the large changes of a period only in the period", async () => {
  const ask = await api();
  const { wealth, prices } = await ask<RunJumps>(`/jumps?${PERIOD}`);
  expect(wealth.length).toBeGreaterThan(0);
  for (const { at_ms, says } of [...wealth, ...prices]) {
    expect(at_ms).toBeGreaterThanOrEqual(FROM);
    expect(at_ms).toBeLessThanOrEqual(TO);
    expect(says).not.toBe("");
  }
  const { jumps } = await ask<{ jumps: RunJumps }>("/overview");
  expect((await ask<RunJumps>("/jumps?")).wealth).toEqual(jumps.wealth);
});

it("takes no small payment for a large change, even in a period between two samples", async () => {
  const ask = await api();
  const { timeline } = await ask<{ timeline: Timeline }>("/overview");
  const highest = Math.max(...timeline.wealth.flatMap(({ scrip }) => scrip.map((one) => one ?? 0)));
  const paid = await withJournal(run.folder, async (journal) => paymentsOf(journal, FROM, TO));
  const isBetween = ({ at_ms: ms }: Payment): boolean =>
    !timeline.at_ms.includes(ms) && paid.filter(({ at_ms }) => at_ms === ms).length === 1;
  const small = paid.find((each) => isBetween(each) && each.amount < highest / 100);
  const period = `from=${small?.at_ms}ms&to=${small?.at_ms}ms`;
  const { payments } = await ask<{ payments: readonly object[] }>(`/payments?${period}`);
  expect(payments).toMatchObject([{ seq: small?.seq, amount: small?.amount }]);
  expect((await ask<RunJumps>(`/jumps?${period}`)).wealth).toEqual([]);
  const { jumps } = await ask<AgentOverTime>(`/agents/${small?.to}/history?${period}`);
  expect(jumps.wealth).toEqual([]);
});
