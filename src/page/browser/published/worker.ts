import type { Trajectories } from "../../../experiment/index.ts";
import { errorMessage } from "../../../kernel/index.ts";
import type { Publication, PublishedRun } from "../../published/publication.ts";
import { PublishedRuns } from "./published-runs.ts";

/** The first message to the worker: what the page has in itself. */
export type PublishedStart = {
  readonly publication: Publication;
  /** The packed runs of the page, by run. */
  readonly runs: ReadonlyMap<string, string>;
  /** The packed figures over time of the runs of an experiment. */
  readonly trajectories: string;
};

/** Every other message to the worker. Each gets one response with the same `id`. */
export type PublishedRequest = { readonly id: number; readonly path: string };

/** `body` is JSON. */
export type PublishedResponse = {
  readonly id: number;
  readonly status: number;
  readonly body: string;
};

/** Packed data is the base64 of gzip-compressed JSON. */
const unpacked = async <Value>(text: string): Promise<Value> => {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  // A call for each character would take a second for a large run.
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = characters.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).json();
};

const runsOf = ({ publication, runs, trajectories }: PublishedStart): PublishedRuns => {
  const unpacking = new Map<string, Promise<PublishedRun>>();
  return new PublishedRuns(publication, {
    run: (run) => {
      const text = runs.get(run);
      if (text === undefined) return Promise.resolve(null);
      const unpackedRun = unpacking.get(run) ?? unpacked<PublishedRun>(text);
      unpacking.set(run, unpackedRun);
      return unpackedRun;
    },
    trajectories: () => unpacked<Trajectories>(trajectories),
  });
};

let runs: PublishedRuns | null = null;

const answer = async ({ id, path }: PublishedRequest): Promise<PublishedResponse> => {
  try {
    if (runs === null) throw new Error("the first message to the worker has to start it");
    const response = await runs.answer(path);
    return { id, status: response.status, body: await response.text() };
  } catch (error) {
    return { id, status: 500, body: JSON.stringify({ problem: errorMessage(error) }) };
  }
};

addEventListener("message", async ({ data }: MessageEvent<PublishedStart | PublishedRequest>) => {
  if ("publication" in data) runs = runsOf(data);
  else postMessage(await answer(data));
});
