import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { EventIndex, EventList } from "../../../src/page/routes/reader/event-index.ts";
import type { Journal, JournalRow } from "../../../src/world/index.ts";
import { type FinishedRun, simulate, withJournal } from "../../support/simulation-run.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";

const out = sharedFolder();
let run: FinishedRun;
beforeAll(async () => {
  run = await simulate(out, { sets: ["run.duration_s=30"] });
});

type Filter = ConstructorParameters<typeof EventList>[0];

const matches =
  ({ kind, principal, text }: Filter) =>
  (row: JournalRow): boolean =>
    (kind === null || row.kind === kind) &&
    (principal === null || row.principal === principal) &&
    `${row.kind} ${row.principal ?? ""} ${row.body}`.toLowerCase().includes(text.toLowerCase());

describe("a list of events", () => {
  it("finds text that JSON escapes", async () => {
    const index = new EventIndex(0);
    const body = JSON.stringify({ message: 'transfer returned {"from": "ann"}' });
    const row = { seq: 1, atMs: 0, kind: "action_completed", principal: "ann", body, hash: "" };
    index.event({ row });
    const journal = { events: () => [row].values() } as unknown as Journal;
    const filter = { kind: null, principal: null, text: 'RETURNED {"from": "' };
    const list = new EventList(filter, { journal, index });
    await list.catchUp();
    expect(list.total(1)).toBe(1);
  });

  const FILTERS: readonly Filter[] = [
    { kind: null, principal: null, text: "" },
    { kind: "artifact_invoked", principal: null, text: "" },
    { kind: null, principal: "ada", text: "" },
    { kind: "thought_completed", principal: "ada", text: "" },
    { kind: null, principal: null, text: "PRICE" },
    { kind: "scrip_transferred", principal: null, text: "boole" },
    { kind: "no_such_kind", principal: null, text: "" },
    { kind: null, principal: "unknown", text: "x" },
  ];
  it.each(FILTERS)("has the events that match %j, also as they arrive", async (filter) => {
    await withJournal(run.folder, async (journal) => {
      const rows = [...journal.events()];
      const index = new EventIndex(0);
      const list = new EventList(filter, { journal, index });
      for (const [place, row] of rows.entries()) {
        index.event({ row });
        if (place % 400 === 7) await list.catchUp();
      }
      await list.catchUp();
      const wanted = rows.filter(matches(filter)).map(({ seq }) => seq);
      expect(list.slice(0, rows.length)).toEqual(wanted);
      const middle = rows.length >> 1;
      expect(list.total(middle)).toBe(wanted.filter((seq) => seq <= middle).length);
    });
  });

  it("finds the latest events of a principal before an event", async () => {
    await withJournal(run.folder, (journal) => {
      const rows = [...journal.events()];
      const index = new EventIndex(0);
      for (const row of rows) index.event({ row });
      const kinds = ["thought_completed", "thought_failed"];
      const own = rows.filter((row) => row.principal === "ada" && kinds.includes(row.kind));
      const found = index.latest("ada", { kinds, before: own[5]?.seq ?? 0, limit: 3 });
      expect(found).toEqual([own[4]?.seq, own[3]?.seq, own[2]?.seq]);
    });
  });
});

it("a list of events counts those up to any event", async () => {
  const flags = fc.array(fc.boolean(), { maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(flags, fc.nat(320), async (wanted, most) => {
      const index = new EventIndex(0);
      for (const isWanted of wanted)
        index.event({ row: { kind: isWanted ? "a" : "b", principal: null, atMs: 0 } });
      const filter = { kind: "a", principal: null, text: "" };
      const list = new EventList(filter, { journal: null as unknown as Journal, index });
      await list.catchUp();
      const seqs = wanted.flatMap((isWanted, at) => (isWanted ? [at + 1] : []));
      expect(list.total(most)).toBe(seqs.filter((seq) => seq <= most).length);
      expect(list.slice(0, seqs.length)).toEqual(seqs);
    }),
  );
});
