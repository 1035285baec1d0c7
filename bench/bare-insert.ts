import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { median } from "./stopwatch.ts";

const ROWS = 50_000;
const GROUP = 100;
const ROUNDS = 5;
const BODY = JSON.stringify({ text: "x".repeat(289) });

/** Microseconds of SQLite for each row of about 330 bytes, in transactions of a hundred. */
export const bareInsertMicros = (folder: string, sync: "FULL" | "NORMAL"): number =>
  median(
    Array.from({ length: ROUNDS }, (_, round) =>
      once(join(folder, `bare-${sync}-${round}.db`), sync),
    ),
  );

const once = (path: string, sync: string): number => {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${sync};
    CREATE TABLE events (seq INTEGER PRIMARY KEY, at_ms INTEGER, kind TEXT, principal TEXT,
    body TEXT, hash TEXT)`);
  const insert = database.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)");
  const hash = "a".repeat(64);
  const startMs = performance.now();
  for (let seq = 1; seq <= ROWS; seq += 1) {
    if (seq % GROUP === 1) database.exec("BEGIN");
    insert.run(seq, seq, "artifact_read", "agent_7", BODY, hash);
    if (seq % GROUP === 0) database.exec("COMMIT");
  }
  const micros = ((performance.now() - startMs) * 1_000) / ROWS;
  database.close();
  return micros;
};
