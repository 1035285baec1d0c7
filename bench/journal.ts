/**
 * The cost of a transaction of one event in the journal (hash, buffer, group commit), and of the
 * bare insert of the same rows with `node:sqlite`.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Journal } from "../src/world/index.ts";
import { bareInsertMicros } from "./bare-insert.ts";
import type { Figure } from "./figure.ts";
import { median } from "./stopwatch.ts";

const TRANSACTIONS = 50_000;
const GROUP = 100;
const ROUNDS = 5;
const BODY = JSON.stringify({ text: "x".repeat(289) });
const COMMAND = JSON.stringify({ type: "noop", text: "x".repeat(90) });

const directory = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
let files = 0;
const freshPath = (): string => join(directory, `${++files}.db`);

function throughJournal(sync: "full" | "normal"): { writeMicros: number; verifyMicros: number } {
  const opened = Journal.create(freshPath(), { sync, groupMs: 1_000 });
  if (!opened.ok) throw new Error(opened.problem);
  const { journal } = opened;
  const startMs = performance.now();
  for (let n = 1; n <= TRANSACTIONS; n += 1) {
    const event = { atMs: n, kind: "artifact_read", principal: "agent_7", body: BODY };
    journal.append({ command: COMMAND, timedOut: false, events: [event] });
    if (n % GROUP === 0) journal.flush();
  }
  const writtenMs = performance.now();
  if (!journal.verifyChain().ok) throw new Error("the chain does not hold");
  const verifiedMs = performance.now();
  journal.close();
  return {
    writeMicros: ((writtenMs - startMs) * 1_000) / TRANSACTIONS,
    verifyMicros: ((verifiedMs - writtenMs) * 1_000) / TRANSACTIONS,
  };
}

export const figures = async (): Promise<readonly Figure[]> => {
  const measured = (["full", "normal"] as const).flatMap((sync) => {
    const rounds = Array.from({ length: ROUNDS }, () => throughJournal(sync));
    const bare = bareInsertMicros(directory, sync === "full" ? "FULL" : "NORMAL");
    const limit = { name: "a bare row", value: bare };
    const [write, verify] = [
      median(rounds.map(({ writeMicros }) => writeMicros)),
      median(rounds.map(({ verifyMicros }) => verifyMicros)),
    ];
    return [
      { name: `transaction, ${sync}`, value: write, unit: "us", bar: null, limit },
      { name: `verified, ${sync}`, value: verify, unit: "us", bar: null, limit },
    ] as const;
  });
  rmSync(directory, { recursive: true });
  return measured;
};
