/**
 * What one single-event transaction costs in the journal (hash, buffer, group commit), beside the
 * bare insert of the same rows with `node:sqlite`. Run: `node bench/journal.ts`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Journal } from "../src/world/journal/index.ts";

const TRANSACTIONS = 50_000;
const GROUP = 100;
const ROUNDS = 5;
const BODY = JSON.stringify({ text: "x".repeat(289) });
const COMMAND = JSON.stringify({ type: "noop", text: "x".repeat(90) });

const directory = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));
let files = 0;
const freshPath = (): string => join(directory, `${++files}.db`);

function bareInsert(sync: string): number {
  const database = new DatabaseSync(freshPath());
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${sync};
    CREATE TABLE events (seq INTEGER PRIMARY KEY, at_ms INTEGER, kind TEXT, principal TEXT,
    body TEXT, hash TEXT)`);
  const insert = database.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)");
  const hash = "a".repeat(64);
  const startMs = performance.now();
  for (let seq = 1; seq <= TRANSACTIONS; seq += 1) {
    if (seq % GROUP === 1) database.exec("BEGIN");
    insert.run(seq, seq, "artifact_read", "agent_7", BODY, hash);
    if (seq % GROUP === 0) database.exec("COMMIT");
  }
  const micros = ((performance.now() - startMs) * 1_000) / TRANSACTIONS;
  database.close();
  return micros;
}

function throughJournal(sync: "full" | "normal"): { writeMicros: number; verifyMicros: number } {
  const opened = Journal.create(freshPath(), { sync, groupMs: 1_000 });
  if (!opened.ok) throw new Error(opened.problem);
  const { journal } = opened;
  const startMs = performance.now();
  for (let n = 1; n <= TRANSACTIONS; n += 1) {
    const event = { atMs: n, kind: "artifact_read", principal: "agent_7", body: BODY };
    journal.append({ command: COMMAND, fused: false, events: [event] });
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

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

for (const sync of ["full", "normal"] as const) {
  const bare: number[] = [];
  const write: number[] = [];
  const verify: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(bareInsert(sync));
    const micros = throughJournal(sync);
    write.push(micros.writeMicros);
    verify.push(micros.verifyMicros);
  }
  const line = {
    sync,
    group: GROUP,
    bare_insert_us: median(bare).toFixed(2),
    journal_us: median(write).toFixed(2),
    ratio: (median(write) / median(bare)).toFixed(2),
    verify_us: median(verify).toFixed(2),
  };
  console.log(JSON.stringify(line));
}
rmSync(directory, { recursive: true });
