/**
 * How long a large world stands still while a checkpoint of it is made, and how long it takes to go
 * on from one.
 */

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Checkpoint,
  checkpointOf,
  Journal,
  readCheckpoint,
  saveSnapshot,
  startStateOf,
  stateText,
  validatedState,
  writeCheckpoint,
} from "../src/world/index.ts";
import { type BenchWorld, benchWorld } from "./bench-world.ts";
import type { Figure } from "./figure.ts";
import { median } from "./stopwatch.ts";

/** Artifacts, and what a checkpoint of so many may hold the world up for, and a restore take. */
const WORLDS = [
  { artifacts: 10_000, pauseBarMs: 20, restoreBarMs: 100 },
  { artifacts: 100_000, pauseBarMs: 100, restoreBarMs: 1_000 },
] as const;
const CONTENT_BYTES = 1_000;
const PRINCIPALS = 50;
const ROUNDS = 5;

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

type Worldly = (typeof WORLDS)[number];

const grown = (artifacts: number): BenchWorld => {
  const bench = benchWorld({ principals: PRINCIPALS, artifacts: 0, folder });
  for (let n = 0; n < artifacts; n++) {
    const content = text(CONTENT_BYTES);
    bench.act(`p${n % PRINCIPALS}`, { write_artifact: { artifact_id: `a${n}`, content } });
  }
  return bench;
};

const measure = async ({ artifacts, pauseBarMs, restoreBarMs }: Worldly) => {
  const { world, journal, act, close } = grown(artifacts);
  if (journal === null) throw new Error("it has a journal");
  const pauses: number[] = [];
  const makings: number[] = [];
  const restores: number[] = [];
  let sizeBytes = 0;
  let turns = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const path = join(folder, `${artifacts}-${round}.ckpt`);
    const make = async (): Promise<void> => {
      const taken = await saveSnapshot(journal, world.state);
      const { checkpoint } = must(
        await checkpointOf(journal, { ...MAKING, taken: { ...taken, thoughts: [] } }),
      );
      must(await writeCheckpoint(path, checkpoint));
    };
    const live = (): void => act(`p${turns++ % PRINCIPALS}`, { noop: {} });
    makings.push(await msOf(async () => pauses.push(await longestPauseMs(live, make))));
    sizeBytes = statSync(path).size;
    restores.push(await msOf(() => startFrom(must(readCheckpoint(path)).checkpoint, path)));
  }
  const bare = stateText(world.state);
  const parse = { name: "JSON.parse of it", value: await msOf(() => JSON.parse(bare)) };
  await close();
  const of = (what: string) => `${what}, ${artifacts} artifacts`;
  return [
    { name: of("pause"), value: median(pauses), unit: "ms", bar: pauseBarMs, limit: null },
    { name: of("made and written"), value: median(makings), unit: "ms", bar: null, limit: parse },
    { name: of("size"), value: sizeBytes / 1e6, unit: "MB", bar: null, limit: null },
    { name: of("restore"), value: median(restores), unit: "ms", bar: restoreBarMs, limit: parse },
  ] as const satisfies readonly Figure[];
};

/** What a run does when it starts from a checkpoint. */
const startFrom = (checkpoint: Checkpoint, path: string): void => {
  must(validatedState(checkpoint));
  const settings = { sync: "full", groupMs: 5, base: startStateOf(checkpoint) } as const;
  const { journal } = must(Journal.create(`${path}.db`, settings));
  journal.close();
};

export const figures = async (): Promise<readonly Figure[]> => {
  const measured: Figure[] = [];
  for (const worldly of WORLDS) measured.push(...(await measure(worldly)));
  rmSync(folder, { recursive: true, force: true });
  return measured;
};
