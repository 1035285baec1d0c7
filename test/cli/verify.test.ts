import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { Journal } from "../../src/world/index.ts";
import { emptyFolder, makeRun, sim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const folder = emptyFolder();
let copies = 0;

beforeAll(() => makeRun(folder, { name: "sound", seconds: 20 }));

/** A copy of the run, changed behind the journal's back. */
const tampered = (change: (database: DatabaseSync) => void): string => {
  const name = `copy${++copies}`;
  cpSync(join(folder, "runs", "sound"), join(folder, "runs", name), { recursive: true });
  const database = new DatabaseSync(join(folder, "runs", name, "journal.db"));
  change(database);
  database.close();
  return name;
};

type Verdict = { ok: boolean; checks: { name: string; ok: boolean; detail: string }[] };

const verdictOn = (run: string): { readonly code: number | null; readonly failing: string } => {
  const said = sim(folder, "verify", run, "--json");
  const verdict: Verdict = JSON.parse(said.out);
  expect(verdict.ok).toBe(false);
  const failing = verdict.checks.filter((check) => !check.ok);
  return {
    code: said.code,
    failing: failing.map((check) => `${check.name}: ${check.detail}`).join("\n"),
  };
};

/** The first event of a kind, by number. */
const seqOf = (database: DatabaseSync, kind: string): number =>
  Number(database.prepare("SELECT seq FROM events WHERE kind = ? LIMIT 1").get(kind)?.seq);

describe("sim verify", () => {
  it("passes on an unchanged run and names every check", () => {
    const said = sim(folder, "verify", "sound", "--json");
    expect(said.code).toBe(0);
    const verdict: Verdict = JSON.parse(said.out);
    expect(verdict.checks.map((check) => check.name)).toEqual([
      ...["chain", "snapshots", "replay"],
      ...[1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14].map((n) => `invariant-${n}`),
      ...["rerun", "invariant-9", "model-calls"],
    ]);
  });

  it("prints the same as text", () => {
    expect(sim(folder, "verify", "sound").out).toContain("all checks hold");
  });

  it("names the event in which one byte was changed", () => {
    let seq = 0;
    const run = tampered((database) => {
      seq = seqOf(database, "scrip_transferred");
      const change = database.prepare("UPDATE events SET body = replace(body, ?, ?) WHERE seq = ?");
      change.run('"amount":', '"amount":1', seq);
    });
    const { code, failing } = verdictOn(run);
    expect(code).toBe(1);
    expect(failing).toContain("chain");
    expect(failing).toContain(`event ${seq}`);
  });

  it("names the event that was removed", () => {
    let seq = 0;
    const run = tampered((database) => {
      seq = seqOf(database, "action_completed");
      database.prepare("DELETE FROM events WHERE seq = ?").run(seq);
    });
    expect(verdictOn(run).failing).toContain(`event ${seq} is missing`);
  });

  it("notices an event removed from the end", () => {
    const run = tampered((database) => {
      database.exec("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)");
    });
    expect(verdictOn(run).failing).toContain("chain");
  });

  it("notices a balance edited in a snapshot", () => {
    const run = tampered((database) => {
      const row = database.prepare("SELECT id, body FROM snapshots LIMIT 1").get();
      const bytes = row?.body;
      if (!(bytes instanceof Uint8Array)) throw new Error("a snapshot has a body");
      const text = zstdDecompressSync(bytes).toString();
      const richer = text.replace(/"scrip":(\d+)/, (_, scrip: string) => `"scrip":${scrip}0`);
      expect(richer).not.toBe(text);
      const change = database.prepare("UPDATE snapshots SET body = ? WHERE id = ?");
      change.run(zstdCompressSync(richer), row?.id ?? null);
    });
    const { code, failing } = verdictOn(run);
    expect(code).toBe(1);
    expect(failing).toMatch(/snapshots: .*snapshot at event \d+ was changed/);
  });

  it("notices a changed command", () => {
    const run = tampered((database) => {
      const sql = "UPDATE events SET command = replace(command, 'think_ms', 'thank_ms')";
      database.exec(`${sql} WHERE command LIKE '%think_ms%'`);
    });
    expect(verdictOn(run).failing).toMatch(/event \d+ or its command was changed/);
  });
});

it.each([
  ["runs/sound/journal.db", 2, /^sim: runs\/sound\/journal\.db is a file of the run runs\/sound; /],
  ["runs", 2, /^sim: runs is not the folder of a run, .*; `sim runs` lists the runs\n$/],
  ["nowhere.ckpt", 2, /^sim: nowhere\.ckpt does not exist, .*; `sim runs` lists the runs\n$/],
])("sim verify refuses %s", (path, code, reason) => {
  expectRefusal(sim(folder, "verify", path), code, reason);
});

it("sim verify refuses an empty journal", () => {
  const path = join(folder, "runs", "hollow", "journal.db");
  mkdirSync(dirname(path), { recursive: true });
  const made = Journal.create(path, { sync: "normal", groupMs: 0 });
  if (!made.ok) throw new Error(made.problem);
  made.journal.close();
  expectRefusal(sim(folder, "verify", "hollow"), 1, /^sim: hollow has no events, .*\n$/);
});
