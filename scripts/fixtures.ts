/**
 * Makes the kept run of `test/fixtures/kept` anew, by the real command: `node scripts/fixtures.ts`.
 * To be called when worlds are to behave otherwise from now on; files of earlier formats, which
 * lead elsewhere then, go. Where a format has changed, old files must still be read: then an upcast
 * is due, and the file of the new format comes to stand beside that of the old one.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import { CHECKPOINT_VERSION } from "../src/world/checkpoint/envelope.ts";
import { FORMAT_VERSION } from "../src/world/journal/index.ts";

const KEPT = join(import.meta.dirname, "../test/fixtures/kept");
const MAIN = join(import.meta.dirname, "../src/cli/main.ts");
const SMALL = { params: { [constants.ZSTD_c_compressionLevel]: constants.ZSTD_btultra2 } };

const folder = mkdtempSync(join(tmpdir(), "catallaxy-fixtures-"));

const sim = (...args: readonly string[]): void => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
};

/** A world without the standard library, so that it is small; the mint opens early. */
const SETS = [
  "genesis.enabled=[ledger,rights_registry,mint,event_log,store]",
  "mint.first_auction_s=1",
  "mint.period_s=8",
  "mint.bidding_window_s=8",
  "checkpoint.every_s=null",
].flatMap((set) => ["--set", set]);

const TIME = ["--clock", "virtual", "--seed", "11", "--duration", "60", "--stop-after", "16"];
// What is kept names no place of the machine that it was made on.
cpSync(join(KEPT, "people"), join(folder, "people"), { recursive: true });
sim("run", "--name", "kept", "--agents", "people", ...TIME, ...SETS);
sim("checkpoint", "kept", "-o", "kept.ckpt");

const run = join(folder, "runs/kept");
copyFileSync(join(folder, "kept.ckpt"), join(KEPT, `kept-format-${CHECKPOINT_VERSION}.ckpt`));
copyFileSync(join(run, "config.yaml"), join(KEPT, "config.yaml"));
copyFileSync(join(run, "run.json"), join(KEPT, "run.json"));
const journal = zstdCompressSync(readFileSync(join(run, "journal.db")), SMALL);
writeFileSync(join(KEPT, `journal-format-${FORMAT_VERSION}.db.zst`), journal);
rmSync(folder, { recursive: true });
