import { hash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { CHECKPOINT_VERSION } from "../../src/world/checkpoint/envelope.ts";
import { FORMAT_VERSION } from "../../src/world/journal/index.ts";
import {
  type CheckpointDocument,
  checkpointDocument,
  checkpointFileOf,
} from "./checkpoint-files.ts";

const KEPT = join(import.meta.dirname, "../fixtures/kept");

/** A checkpoint of the end of the kept run, as the command has written it once. */
export const keptCheckpoint = (format: number = CHECKPOINT_VERSION): string =>
  join(KEPT, `kept-format-${format}.ckpt`);

/** Lays the run of `test/fixtures/kept`, in that format, as `runs/kept` into a folder. */
export const layKeptRun = (folder: string, format: number = FORMAT_VERSION): void => {
  const run = join(folder, "runs/kept");
  mkdirSync(run, { recursive: true });
  for (const name of ["config.yaml", "run.json"]) copyFileSync(join(KEPT, name), join(run, name));
  const journal = zstdDecompressSync(readFileSync(join(KEPT, `journal-format-${format}.db.zst`)));
  writeFileSync(join(run, "journal.db"), journal);
  copyFileSync(keptCheckpoint(), join(folder, "kept.ckpt"));
};

/** The file of a checkpoint by somebody who has changed it and made all hashes anew. */
export const forgedCheckpoint = (change: (document: KeptDocument) => void): Buffer => {
  const document = keptDocument();
  change(document);
  document.state_hash = hash("sha256", JSON.stringify(document.state));
  return checkpointFileOf(document, CHECKPOINT_VERSION);
};

type KeptDocument = CheckpointDocument & { state: { [table: string]: unknown } };

/** What is in the checkpoint, to be changed at will. */
export const keptDocument = (): KeptDocument =>
  checkpointDocument(readFileSync(keptCheckpoint())) as KeptDocument;
