import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { created, freshPath, reopened, SETTINGS, transaction } from "./fixtures.ts";

const COMMITS = 12;

/** Copies the files of an open journal after `COMMITS` commits of 3 events. */
function copied(): { path: string; walBytes: number } {
  const source = freshPath();
  const journal = created(source);
  for (let n = 1; n <= COMMITS; n += 1) {
    journal.append(transaction(n, 3));
    journal.flush();
  }
  journal.append(transaction(99, 3));
  const path = join(temporaryFolder(), "journal.db");
  copyFileSync(source, path);
  copyFileSync(`${source}-wal`, `${path}-wal`);
  return { path, walBytes: statSync(`${path}-wal`).size };
}

/** Opens the journal, verifies it and appends to it. Returns the number of recovered events. */
function recovered(path: string): number {
  const journal = reopened(path, SETTINGS);
  const events = [...journal.events()].length;
  expect(journal.verifyChain()).toMatchObject({ ok: true, head: { seq: events } });
  journal.append(transaction(100, 3));
  journal.close();
  expect(reopened(path).verifyChain()).toMatchObject({ ok: true, head: { seq: events + 3 } });
  return events;
}

describe("files copied during writing", () => {
  it("hold exactly what was acknowledged", () => {
    expect(recovered(copied().path)).toBe(3 * COMMITS);
  });

  it.each<readonly [string, (wal: string, at: number) => void]>([
    ["the WAL is cut at any byte", truncateSync],
    ["any byte of the WAL is changed", flipByte],
  ])("hold a prefix of whole commits if %s", (_, damage) => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), (part) => {
        const { path, walBytes } = copied();
        damage(`${path}-wal`, Math.floor(walBytes * part));
        const events = recovered(path);
        expect(events % 3).toBe(0);
        expect(events).toBeLessThanOrEqual(3 * COMMITS);
      }),
      { numRuns: 25 },
    );
  });
});

function flipByte(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 0x55, at);
  writeFileSync(path, bytes);
}

describe("a killed process", () => {
  it("leaves everything that it had acknowledged", () => {
    const script = fileURLToPath(new URL("fixtures/write-until-killed.ts", import.meta.url));
    const path = freshPath();
    const child = spawnSync(process.execPath, [script, path], { encoding: "utf8" });
    expect(child.signal).toBe("SIGKILL");
    const acknowledged = Number(child.stdout.trim().split("\n").at(-1));
    expect(acknowledged).toBeGreaterThan(0);
    expect(recovered(path)).toBeGreaterThanOrEqual(acknowledged);
  });
});
