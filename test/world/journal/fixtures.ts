import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { onTestFinished } from "vitest";
import {
  Journal,
  type JournalEvent,
  type JournalSettings,
  type JournalTransaction,
} from "../../../src/world/journal/index.ts";

/** The journal of a successful open. The caller closes it. */
export const usable = (opened: ReturnType<typeof Journal.open>): Journal => {
  if (!opened.ok) throw new Error(opened.problem);
  return opened.journal;
};

/** A folder that is removed after the test. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "catallaxy-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const freshPath = (): string => join(freshFolder(), "journal.db");

/** Commits only on `flush`, unless told otherwise. */
export const SETTINGS: JournalSettings = { sync: "normal", groupMs: 1_000_000 };

export function created(path: string, settings: Partial<JournalSettings> = {}): Journal {
  const opened = Journal.create(path, { ...SETTINGS, ...settings });
  if (!opened.ok) throw new Error(opened.problem);
  onTestFinished(() => opened.journal.close());
  return opened.journal;
}

export function reopened(
  path: string,
  settings: JournalSettings | { readOnly: true } = { readOnly: true },
): Journal {
  const opened = Journal.open(path, settings);
  if (!opened.ok) throw new Error(opened.problem);
  onTestFinished(() => opened.journal.close());
  return opened.journal;
}

/** The problem of a journal that must not open. */
export function problemOf(path: string, settings: Parameters<typeof Journal.open>[1]): string {
  const opened = Journal.open(path, settings);
  if (!opened.ok) return opened.problem;
  opened.journal.close();
  throw new Error(`${path} was opened`);
}

/** A transaction of `events` events that all hold `n`. */
export function transaction(n: number, events = 1): JournalTransaction {
  const event = (k: number): JournalEvent => ({
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

/** Changes the file of a closed journal. */
export function tamper(path: string, sql: string, ...values: SQLInputValue[]): void {
  const database = new DatabaseSync(path);
  database.prepare(sql).run(...values);
  database.close();
}
