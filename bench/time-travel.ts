/**
 * Going back and forth in a run: how long a large world stands still while a checkpoint of it is
 * made, how long it takes to go on from one, and how fast a journal is replayed.
 * Run: `node bench/time-travel.ts`.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadPersonas, type Persona } from "../src/runner/index.ts";
import {
  beginningOf,
  type Checkpoint,
  checkpointOf,
  Journal,
  readCheckpoint,
  replay,
  soundState,
  takeSnapshotBeside,
  writeCheckpoint,
} from "../src/world/index.ts";
import { benchRun } from "./bench-run.ts";
import { benchWorld } from "./bench-world.ts";
import { median } from "./stopwatch.ts";

const ARTIFACTS = 10_000;
const CONTENT_BYTES = 1_000;
const PRINCIPALS = 50;
const ROUNDS = 5;
const COPIES = 5;
const CROWD_S = 3_600;

const folder = mkdtempSync(join(tmpdir(), "catallaxy-bench-"));

const msOf = async (work: () => unknown): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

/** Words as notes are made of them, different in each; noise would not shrink as text does. */
const words =
  "the price of bread rose while scribes sold maps to those who dig for rare stone".split(" ");
let dice = 1;
const text = (sizeBytes: number): string => {
  let made = "";
  while (made.length < sizeBytes) {
    dice = (dice * 48_271) % 2_147_483_647;
    made += `${words[dice % words.length]} ${dice % 997} `;
  }
  return made.slice(0, sizeBytes);
};

/** Lets the world act whenever it may while `work` is under way; the longest wait between. */
const longestPauseMs = async (act: () => void, work: () => Promise<unknown>): Promise<number> => {
  let longest = 0;
  let rested = performance.now();
  let under = true;
  const turn = (): void => {
    if (!under) return;
    longest = Math.max(longest, performance.now() - rested);
    act();
    rested = performance.now();
    setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  under = false;
  return longest;
};

const must = <T extends { readonly ok: boolean }>(result: T): Extract<T, { readonly ok: true }> => {
  if (isOk(result)) return result;
  throw new Error(JSON.stringify(result));
};
const isOk = <T extends { readonly ok: boolean }>(
  result: T,
): result is Extract<T, { readonly ok: true }> => result.ok;

const MAKING = {
  madeBy: { version: "bench", engine: "" },
  run: { id: "bench", seed: 1, clock: "virtual" },
  config: "",
  costMicrosOf: () => 0,
} as const;

const largeWorld = async (): Promise<void> => {
  const { world, journal, act, close } = benchWorld({
    principals: PRINCIPALS,
    artifacts: 0,
    folder,
  });
  if (journal === null) throw new Error("it has a journal");
  for (let n = 0; n < ARTIFACTS; n++) {
    const content = text(CONTENT_BYTES);
    act(`p${n % PRINCIPALS}`, { write_artifact: { artifact_id: `a${n}`, content } });
  }
  const pauses: number[] = [];
  const makings: number[] = [];
  const restores: number[] = [];
  let sizeBytes = 0;
  let turns = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const path = join(folder, `${round}.ckpt`);
    const make = async (): Promise<void> => {
      const taken = await takeSnapshotBeside(journal, world.state);
      const { checkpoint } = must(await checkpointOf(journal, { ...MAKING, taken }));
      must(await writeCheckpoint(path, checkpoint));
    };
    const live = (): void => act(`p${turns++ % PRINCIPALS}`, { noop: {} });
    makings.push(await msOf(async () => pauses.push(await longestPauseMs(live, make))));
    sizeBytes = statSync(path).size;
    restores.push(await msOf(() => goOn(must(readCheckpoint(path)).checkpoint, round)));
  }
  await close();
  console.log(`a world of ${ARTIFACTS} artifacts of ${CONTENT_BYTES} bytes, medians of ${ROUNDS}`);
  console.log(`  longest pause while a checkpoint is made ${ms(median(pauses))}`);
  console.log(`  checkpoint made and written              ${ms(median(makings))}`);
  console.log(`  size of the file                         ${(sizeBytes / 1e6).toFixed(1)} MB`);
  console.log(`  restored from the file into a journal    ${ms(median(restores))}`);
};

/** What a run does that goes on from a checkpoint. */
const goOn = (checkpoint: Checkpoint, round: number): void => {
  must(soundState(checkpoint));
  const settings = { sync: "full", groupMs: 5, base: beginningOf(checkpoint) } as const;
  const { journal } = must(Journal.create(join(folder, `next-${round}.db`), settings));
  journal.close();
};

const ms = (figure: number): string => `${figure.toFixed(0)} ms`;

/** The shipped population several times over. */
const crowd = (): readonly Persona[] => {
  const loaded = must(loadPersonas(join(import.meta.dirname, "../agents"), { only: [] }));
  return Array.from({ length: COPIES }, (_, n) =>
    loaded.personas.map((persona) => ({ ...persona, id: `${persona.id}${n}` })),
  ).flat();
};

const crowdReplayed = async (): Promise<void> => {
  const personas = crowd();
  const sets = ["run.clock=virtual", `run.duration_s=${CROWD_S}`];
  const launch = benchRun({ out: folder, sets, personas });
  await launch.run();
  const path = join(launch.directory.folder, "journal.db");
  const { journal } = must(Journal.open(path, { readOnly: true }));
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    const { events } = replay(journal);
    rates.push((events * 1_000) / (performance.now() - startedAt));
  }
  const events = journal.head().seq;
  journal.close();
  const [first = Number.NaN] = rates;
  console.log(`a run of ${personas.length} agents, ${events} events`);
  console.log(
    `  replayed at ${median(rates).toFixed(0)} events/s (${first.toFixed(0)} the first time)`,
  );
};

await largeWorld();
await crowdReplayed();
rmSync(folder, { recursive: true, force: true });
