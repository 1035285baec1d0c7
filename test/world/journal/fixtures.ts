import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { onTestFinished } from "vitest";
import { Journal } from "../../../src/world/index.ts";
import type { JournalSettings } from "../../../src/world/journal/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** The journal of a successful open. The caller closes it. */
export const usable = (opened: ReturnType<typeof Journal.open>): Journal => {
  if (!opened.ok) throw new Error(opened.problem);
  return opened.journal;
};

export const freshPath = (): string => join(temporaryFolder(), "journal.db");

/** Commits only on `flush`, unless told otherwise. */
export const SETTINGS: JournalSettings = { sync: "normal", groupMs: 1_000_000 };

/** The journal of a successful open, which is closed after the test. */
function closedLater(opened: ReturnType<typeof Journal.open>): Journal {
  const journal = usable(opened);
  onTestFinished(() => journal.close());
  return journal;
}

export const created = (
  path = freshPath(),
  settings: Partial<Parameters<typeof Journal.create>[1]> = {},
): Journal => closedLater(Journal.create(path, { ...SETTINGS, ...settings }));

export const reopened = (
  path: string,
  settings: JournalSettings | { readOnly: true } = { readOnly: true },
): Journal => closedLater(Journal.open(path, settings));

/** The problem of a journal that must not open. */
export function problemOf(path: string, settings: Parameters<typeof Journal.open>[1]): string {
  const opened = Journal.open(path, settings);
  if (!opened.ok) return opened.problem;
  opened.journal.close();
  throw new Error(`${path} was opened`);
}

export function transaction(n: number, events = 1) {
  const event = (k: number) => ({
    atMs: n * 10,
    kind: k % 2 === 0 ? "artifact_read" : "scrip_transferred",
    principal: n % 3 === 0 ? null : `agent_${n % 3}`,
    body: `{"n":${n},"k":${k}}`,
  });
  return {
    command: `{"type":"noop","n":${n}}`,
    timedOut: n % 5 === 0,
    events: Array.from({ length: events }, (_, k) => event(k)),
  };
}

/** The path of a closed journal with `count` transactions of so many events. */
export function written(count: number, events = 1): string {
  const path = freshPath();
  const journal = created(path);
  for (let n = 1; n <= count; n += 1) journal.append(transaction(n, events));
  journal.close();
  return path;
}

/** Changes the file of a closed journal. */
export function tamper(path: string, sql: string, ...values: SQLInputValue[]): void {
  const database = new DatabaseSync(path);
  const { changes } = database.prepare(sql).run(...values);
  database.close();
  if (changes === 0) throw new Error(`nothing was changed: ${sql}`);
}
