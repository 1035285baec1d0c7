import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { packedJson } from "../../src/world/core/packed-json.ts";
import {
  appendRunEvent,
  Journal,
  replay,
  restore,
  stateHash,
  stateText,
} from "../../src/world/index.ts";
import { RANDOM_PHYSICS, runRandomCommands } from "../simulation/random-commands.ts";
import { journalAfter } from "../support/journal-after.ts";
import { sharedFolder } from "../support/temporary-folder.ts";
import { created, freshPath, reopened, SETTINGS, tamper, usable } from "./journal/fixtures.ts";

const ORIGINAL = join(sharedFolder(), "original.db");
let ended = "";
beforeAll(async () => {
  const journal = usable(Journal.create(ORIGINAL, SETTINGS));
  ({ hash: ended } = await runRandomCommands(RANDOM_PHYSICS, { seed: 5, commands: 330, journal }));
  journal.close();
});

const reading = (path = ORIGINAL): Journal => reopened(path);

/** The rest of a run as its own journal, which continues from the state after `seq`. */
const cutAt = (whole: Journal, seq: number): string => {
  const path = freshPath();
  journalAfter(whole, { seq, path }).close();
  return path;
};

describe("a restored state", () => {
  it("equals the state of a full replay, after any event", () => {
    const journal = reading();
    const { seq: last } = journal.head();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: last }), (upTo) => {
        const restored = restore(journal, { upTo });
        expect(stateHash(restored.state)).toBe(stateHash(replay(journal, { upTo }).state));
        expect(restored.seq).toBe(upTo);
        expect(restored.applied).toBeLessThanOrEqual(upTo);
      }),
      { numRuns: 12 },
    );
  });

  it("is by default the last one, restored from the newest snapshot", () => {
    const journal = reading();
    const { state, seq, atMs, applied } = restore(journal);
    expect(stateHash(state)).toBe(ended);
    expect(seq).toBe(journal.head().seq);
    expect(atMs).toBe([...journal.events()].at(-1)?.atMs);
    expect(applied).toBe(seq - (journal.latestSnapshot()?.seq ?? 0));
    expect(applied).toBeGreaterThan(0);
  });

  it("has its run time even if no event has to be applied", () => {
    const journal = reading();
    const seq = journal.latestSnapshot()?.seq ?? 0;
    const [event] = journal.events({ after: seq - 1, upTo: seq });
    expect(restore(journal, { upTo: seq })).toMatchObject({ seq, applied: 0, atMs: event?.atMs });
    expect(restore(journal, { upTo: 0 })).toMatchObject({ seq: 0, applied: 0, atMs: 0 });
  });

  it.each([
    ["is damaged", "UPDATE snapshots SET body = zeroblob(9)"],
    ["has a wrong hash", "UPDATE snapshots SET state_hash = 'x'"],
  ])("comes from the events if each snapshot %s", (_, sql) => {
    const start = reading().transactionEnd(300) ?? 0;
    const path = cutAt(reading(), start);
    const journal = reopened(path, SETTINGS);
    const { seq, state } = restore(journal, { upTo: start + 100 });
    journal.saveSnapshot({ seq, state: packedJson(stateText(state)) });
    expect(restore(journal, { upTo: start + 101 }).applied).toBe(1);
    journal.close();
    tamper(path, sql);
    const restored = restore(reading(path), { upTo: start + 101 });
    expect(restored.applied).toBe(101);
    const replayed = replay(reading(), { upTo: start + 101 });
    expect(stateHash(restored.state)).toBe(stateHash(replayed.state));
  });

  it("comes from the events if a snapshot holds no state", () => {
    const start = reading().transactionEnd(300) ?? 0;
    const journal = reopened(cutAt(reading(), start), SETTINGS);
    journal.saveSnapshot({ seq: start + 20, state: packedJson("{}") });
    expect(restore(journal, { upTo: start + 21 }).applied).toBe(21);
  });
});

describe("a journal that continues from a state", () => {
  it("leads to the same states and hashes as the whole journal", () => {
    const whole = reading();
    const rest = reading(cutAt(whole, whole.transactionEnd(250) ?? 0));
    expect(rest.head()).toEqual(whole.head());
    expect(rest.verifyChain()).toMatchObject({ ok: true });
    const replayed = replay(rest);
    expect(stateHash(replayed.state)).toBe(ended);
    expect(replayed.seq).toBe(whole.head().seq);
    const [one, other] = [rest, whole].map((each) => stateHash(restore(each, { upTo: 500 }).state));
    expect(one).toBe(other);
  });

  it("has a state and a run time before its first event", () => {
    const whole = reading();
    const { seq } = whole.head();
    const rest = reopened(cutAt(whole, seq), SETTINGS);
    const { atMs } = restore(whole);
    const restored = restore(rest);
    expect(restored).toMatchObject({ seq, atMs, applied: 0 });
    expect(stateHash(restored.state)).toBe(ended);
    expect(replay(rest)).toMatchObject({ applied: 0, seq });
    appendRunEvent(rest, { atMs: atMs + 5, kind: "run_stopped", body: {} });
    rest.flush();
    expect(restore(rest)).toMatchObject({ seq: seq + 1, atMs: atMs + 5, applied: 1 });
    expect(restore(rest, { upTo: seq })).toMatchObject({ seq, atMs, applied: 0 });
  });

  it("cannot restore earlier events, and says where to look", () => {
    const whole = reading();
    const at = whole.transactionEnd(250) ?? 0;
    const rest = reading(cutAt(whole, at));
    const words = `starts after event ${at}; look for event 100 in the run that it was forked from`;
    expect(() => restore(rest, { upTo: 100 })).toThrow(words);
    expect(() => replay(rest, { upTo: 100 })).toThrow(words);
  });

  it("is refused if its state has another version", () => {
    const base = { seq: 9, atMs: 1, hash: "h", carried: "{}", state: packedJson('{"version":2}') };
    const journal = created(freshPath(), { base });
    expect(() => restore(journal)).toThrow("this program reads 1");
  });
});
