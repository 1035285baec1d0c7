import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Journal } from "../../../src/world/index.ts";
import { FORMAT_VERSION } from "../../../src/world/journal/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { created, freshPath, problemOf, reopened, SETTINGS, tamper, written } from "./fixtures.ts";

const READ_ONLY = { readOnly: true } as const;

const creationProblem = (path: string): string => {
  const opened = Journal.create(path, SETTINGS);
  return opened.ok ? `${path} was created` : opened.problem;
};

describe("creating a journal", () => {
  it("refuses to replace a journal", () => {
    const path = written(1, 2);
    expect(creationProblem(path)).toMatch(/journal\.db: a journal is there already; resume/);
    expect(reopened(path).head().seq).toBe(2);
  });

  it("says that the folder does not exist", () => {
    expect(creationProblem(join(temporaryFolder(), "none", "journal.db"))).toContain(
      "does not exist",
    );
    expect(creationProblem(join(written(1, 2), "journal.db"))).toContain("is not a folder");
  });

  it("leaves nothing behind if it fails", () => {
    const path = freshPath();
    const opened = Journal.create(path, { ...SETTINGS, sizeMaxBytes: 4_096 });
    expect(opened).toMatchObject({ ok: false, problem: expect.stringContaining("disk is full") });
    expect(creationProblem(join(path, "x"))).toContain("does not exist");
    created(path);
  });
});

describe.each([
  ["for reading", READ_ONLY],
  ["for writing", SETTINGS],
])("opening a journal %s", (_how, settings) => {
  it("reports a missing journal", () => {
    expect(problemOf(freshPath(), settings)).toContain("no journal is at");
    expect(problemOf(join(written(1, 2), "journal.db"), settings)).toContain("no journal is at");
  });

  it("refuses a folder, an empty file and a file that is not SQLite", () => {
    expect(problemOf(temporaryFolder(), settings)).toContain("is a folder");
    const path = freshPath();
    writeFileSync(path, "");
    expect(problemOf(path, settings)).toContain("is empty");
    writeFileSync(path, "a diary, and a long one".repeat(100));
    expect(problemOf(path, settings)).toContain("not an SQLite file");
  });

  it("refuses the SQLite file of another program, and does not change it", () => {
    const path = freshPath();
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE events (seq INTEGER)");
    other.close();
    const before = readFileSync(path);
    expect(problemOf(path, settings)).toContain("not a catallaxy journal");
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("refuses another format, and a file without one", () => {
    const path = written(1, 2);
    for (const format of [FORMAT_VERSION + 1, 0]) {
      tamper(path, "UPDATE meta SET value = ? WHERE key = 'journal_format'", `${format}`);
      const words = `has format ${format}, .* reads format ${FORMAT_VERSION}; use the`;
      expect(problemOf(path, settings)).toMatch(new RegExp(words));
    }
    tamper(path, "DELETE FROM meta WHERE key = 'journal_format'");
    expect(problemOf(path, settings)).toContain("without a format version");
  });

  it("refuses a damaged file in one line", () => {
    const path = written(1, 2);
    writeFileSync(path, readFileSync(path).subarray(0, 6_000));
    const problem = problemOf(path, settings);
    expect(problem).toContain("damaged");
    expect(problem).not.toContain("\n");
  });
});

describe("a read-only folder", () => {
  /** Root may write anywhere, so as root another user's process does this. */
  const otherUser = process.getuid?.() === 0 ? { uid: 65_534 } : {};
  const script = fileURLToPath(new URL("fixtures/open-journal.ts", import.meta.url));

  function openedByOtherUser(path: string): unknown {
    chmodSync(dirname(path), 0o555);
    const child = spawnSync(process.execPath, [script, path], { ...otherUser, encoding: "utf8" });
    chmodSync(dirname(path), 0o755);
    return JSON.parse(child.stdout);
  }

  it("allows reading; writing is refused with a way to fix it", () => {
    expect(openedByOtherUser(written(1, 2))).toEqual({
      read: 2,
      write: expect.stringContaining("make the file and its folder writable"),
      create: expect.stringContaining("you may not write there"),
    });
  });

  it("refuses to read a journal without its WAL", () => {
    const path = written(1, 2);
    writeFileSync(`${path}-wal`, "");
    expect(openedByOtherUser(path)).toMatchObject({ read: expect.stringContaining("writ") });
  });
});
