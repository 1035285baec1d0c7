import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { Balances, LogEntry, MOVING, stateCountedFrom } from "../../../src/figures/index.ts";
import { asId } from "../../../src/kernel/index.ts";
import type { PaymentRow } from "../../../src/page/routes/index.ts";
import { PaymentIndex } from "../../../src/page/routes/reader/payment-index.ts";
import { paymentIn } from "../../../src/run/index.ts";
import { decodeEvent, type JournalReader } from "../../../src/world/index.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { type FinishedRun, simulate, withJournal } from "../../support/simulation-run.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";

const out = sharedFolder();
let run: FinishedRun;
beforeAll(async () => {
  run = await simulate(join(out, "runs"), { runId: "market", sets: ["run.duration_s=60"] });
});

const api = async () => {
  const { origin } = new URL((await dashboardOf(join(out, "runs"))).addressOf("market"));
  return async (path: string) =>
    JSON.parse(await (await fetch(`${origin}/api/runs/market${path}`)).text());
};

type Paid = Pick<PaymentRow, "seq" | "at_ms" | "from" | "to" | "amount">;

/** All payments of a run and all scrip that was minted, by reading the journal once. */
const allPaid = (journal: JournalReader): readonly Paid[] => {
  const books = new Balances(stateCountedFrom(journal));
  return [...journal.events()].flatMap((row): readonly Paid[] => {
    if (!MOVING.has(row.kind)) return [];
    const event = decodeEvent(row);
    const paid = paymentIn(event, (hold) => books.ownerOf(hold));
    books.count(event);
    const { seq, atMs: at_ms } = row;
    if (paid !== null) return [{ seq, at_ms, ...paid }];
    if (event.kind !== "scrip_minted" && event.kind !== "proceeds_shared") return [];
    return [{ seq, at_ms, from: null, to: event.to, amount: event.amount }];
  });
};

it("finds the largest payments of a run, of a period, and up to a moment", async () => {
  const ask = await api();
  const all = await withJournal(run.folder, async (journal) => allPaid(journal));
  const largest = (of: readonly Paid[]) =>
    of.toSorted((a, b) => b.amount - a.amount || b.seq - a.seq).slice(0, 8);
  const asked = async (query: string): Promise<readonly PaymentRow[]> =>
    (await ask(`/payments?${query}`)).payments;
  const plain = (rows: readonly PaymentRow[]) =>
    rows.map(({ seq, at_ms, from, to, amount }) => ({ seq, at_ms, from, to, amount }));
  expect(all.length).toBeGreaterThan(30);
  expect(plain(await asked(""))).toEqual(largest(all));
  const inPeriod = all.filter(({ at_ms }) => at_ms >= 20_000 && at_ms <= 30_000);
  expect(plain(await asked("from=0:20&to=30s"))).toEqual(largest(inPeriod));
  const at = all[40]?.seq ?? 0;
  const end = await withJournal(run.folder, async (journal) => journal.transactionEnd(at) ?? at);
  expect(plain(await asked(`at=${at}`))).toEqual(largest(all.filter(({ seq }) => seq <= end)));
  expect(await asked("from=30s&to=20s")).toEqual([]);
  for (const { says, what } of await asked("")) {
    expect(says).not.toBe("");
    expect(what).not.toBe("");
  }
});

it("explains a payment even if larger ones of the agent are in the trail", async () => {
  const ask = await api();
  const { agents } = await ask("/names");
  const { payments } = await ask("/payments?from=0:20&to=0:25");
  const own = payments.findLast(({ to }: PaymentRow) => agents.includes(to));
  const { steps } = await ask(`/agents/${own.to}/trail?limit=1&payment=${own.seq}`);
  const step = steps.find(({ seq }: { readonly seq: number }) => seq === own.seq);
  expect(step).toMatchObject({ amount: own.amount, what: own.what, artifact: own.artifact });
  expect(step.because).toBeDefined();
});

it("counts a payment of nothing as no change of wealth", () => {
  const index = new PaymentIndex(() => null);
  for (const [seq, amount] of [0, 3].entries()) {
    const [from, to, principal] = [asId("ada"), asId("bob"), asId("ada")];
    const body = JSON.stringify({ from, to, amount, reason: "transfer" });
    const row = { seq, kind: "scrip_transferred", atMs: 0, principal, body, hash: "" };
    index.event(new LogEntry(row));
  }
  const jumps = index.jumps({ first: 0, last: 1 });
  expect(jumps.wealthOf("ada")).toEqual([{ seq: 1, at_ms: 0, amount: -3 }]);
  expect(jumps.wealthOf("bob")).toEqual([{ seq: 1, at_ms: 0, amount: 3 }]);
});

it("keeps the largest of very many payments, and of equal ones the newer", () => {
  const index = new PaymentIndex(() => null);
  const row = (seq: number) => {
    const body = JSON.stringify({ to: "ada", amount: seq % 100, reason: "mint" });
    return { seq, kind: "scrip_minted", atMs: seq, principal: null, body, hash: "" };
  };
  for (let seq = 1; seq <= 10_000; seq += 1) index.event(new LogEntry(row(seq)));
  const events = ({ upTo = 0 }) => [row(upTo)].values();
  const journal = { events } as unknown as JournalReader;
  const found = index.largest({ first: 1, last: 9_950 }, 3, journal);
  expect(found.map(({ seq, amount }) => [seq, amount])).toEqual([
    [9_899, 99],
    [9_799, 99],
    [9_699, 99],
  ]);
  expect(found[0]).toMatchObject({ from: null, to: "ada", what: "minted for a score" });
});
