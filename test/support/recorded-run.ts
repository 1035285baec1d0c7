import { hash } from "node:crypto";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CHECKPOINT_VERSION } from "../../src/world/checkpoint/envelope.ts";
import { checkpointDocument, checkpointFileOf } from "./checkpoint-files.ts";
import { emptyFolder, sim } from "./sim.ts";

const PEOPLE = join(import.meta.dirname, "../fixtures/kept/people");

/** No standard library, so that the world is small; the mint opens early. */
const SETS = [
  "genesis.enabled=[ledger,rights_registry,mint,compute,event_log,store]",
  "mint.first_auction_s=1",
  "mint.period_s=8",
  "mint.bidding_window_s=8",
  "compute.period_s=30",
  "checkpoint.every_s=null",
].flatMap((set) => ["--set", set]);

const TIME = ["--clock", "virtual", "--seed", "11", "--duration", "60", "--stop-after", "16"];

let recorded: string | undefined;

/** The folder of a small finished run `kept` and of its checkpoint `kept.ckpt`, recorded once. */
const recording = (): string => {
  if (recorded !== undefined) return recorded;
  const folder = emptyFolder();
  cpSync(PEOPLE, join(folder, "people"), { recursive: true });
  const run = ["run", "--name", "kept", "--agents", "people", ...TIME, ...SETS];
  for (const args of [run, ["checkpoint", "kept", "-o", "kept.ckpt"]]) {
    const { code, err } = sim(folder, ...args);
    if (code !== 0) throw new Error(err);
  }
  recorded = folder;
  return folder;
};

/** Copies the recorded run as `runs/kept` into a folder, and its checkpoint as `kept.ckpt`. */
export const copyRecordedRun = (folder: string): void => {
  for (const name of ["runs", "kept.ckpt"]) {
    cpSync(join(recording(), name), join(folder, name), { recursive: true });
  }
};

/** Copies the recorded run, and makes event 43 unreadable. The last snapshot comes later. */
export const damageRecordedRun = (folder: string): void => {
  copyRecordedRun(folder);
  const database = new DatabaseSync(join(folder, "runs/kept/journal.db"));
  database.exec("UPDATE events SET body = '{' WHERE seq = 43");
  database.close();
};

/** A changed copy of the checkpoint in which every hash is correct again. */
export const forgedCheckpoint = (change: (document: RecordedCheckpoint) => void): Buffer => {
  const document = recordedCheckpoint();
  change(document);
  document.state_hash = hash("sha256", JSON.stringify(document.state));
  return checkpointFileOf(document, CHECKPOINT_VERSION);
};

type RecordedCheckpoint = ReturnType<typeof checkpointDocument> & {
  state: { [table: string]: unknown };
};

/** A fresh copy of what the checkpoint holds. */
export const recordedCheckpoint = (): RecordedCheckpoint =>
  checkpointDocument(readFileSync(join(recording(), "kept.ckpt"))) as RecordedCheckpoint;
