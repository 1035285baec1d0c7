import { execFileSync } from "node:child_process";
import { cpSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { emptyFolder, makeRun, sim } from "../../support/sim.ts";

let made: string | null = null;

/** A copy of a short run, which is made once. */
const madeRun = () => {
  if (made === null) {
    made = emptyFolder();
    makeRun(made, { name: "shared", seconds: 5 }, "--only", "ada");
  }
  const folder = emptyFolder();
  cpSync(made, folder, { recursive: true });
  return { folder, journal: join(folder, "runs/shared/journal.db") };
};

const changed = (journal: string, sql: string): void => {
  const database = new DatabaseSync(journal);
  database.exec(sql);
  database.close();
};

const FOREVER = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT";

it.each([
  [
    "a view that never ends in place of the events",
    `ALTER TABLE events RENAME TO kept; CREATE VIEW events AS ${FOREVER} i AS seq, 0 AS at_ms,
     'x' AS kind, '' AS principal, '{}' AS body, '' AS hash, i AS last_seq, 0 AS timed_out,
     '{}' AS command FROM n`,
  ],
  [
    "a view that never ends in place of the facts about the file",
    `DROP TABLE meta; CREATE VIEW meta AS ${FOREVER} 'x' AS key, i AS value FROM n`,
  ],
  ["a trigger", "CREATE TRIGGER t AFTER INSERT ON events BEGIN UPDATE events SET body = '{}'; END"],
])("a journal with %s is refused in one line", (_, sql) => {
  const { folder, journal } = madeRun();
  changed(journal, sql);
  for (const verb of ["verify", "report", "resume"]) {
    const refused = sim(folder, verb, "shared");
    expect(refused.code).not.toBe(0);
    expect(refused.err).toMatch(/damaged|has other tables than a journal: it was changed/);
    expect(refused.err).not.toMatch(/bug in catallaxy/);
  }
  expect(sim(folder, "runs")).toMatchObject({ code: 0 });
});

it.each(["journal.db", "run.json", "config.yaml"])(
  "a pipe or a link in place of %s stops no command",
  (name) => {
    const { folder } = madeRun();
    const file = join(folder, "runs/shared", name);
    rmSync(file);
    execFileSync("mkfifo", [file]);
    expect(sim(folder, "runs")).toMatchObject({ code: 0 });
    // A run goes on without `run.json`, which it writes again.
    const isRead = name !== "run.json";
    if (isRead) expect(sim(folder, "resume", "shared").err).toMatch(/is a pipe or a device/);
    rmSync(file);
    symlinkSync("/etc/hostname", file);
    expect(sim(folder, "runs")).toMatchObject({ code: 0 });
    if (isRead) expect(sim(folder, "resume", "shared").err).toMatch(/is a link/);
  },
);
