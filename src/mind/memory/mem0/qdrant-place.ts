import { hash } from "node:crypto";

/** Where memories are kept at a Qdrant server. */
export type QdrantPlace = {
  readonly url: string;
  readonly apiKey: string | null;
  readonly collection: string;
  /** Names the run: many may share one collection, and their agents have the same names. */
  readonly run: string;
};

/** As mem0 wants it: without white space. */
export const runKey = (run: string): string => hash("sha256", run).slice(0, 32);

/** Of one record always the same point, so that what is added twice is there once. */
export const pointId = (run: string, agent: string, number: number): string => {
  const digits = hash("sha256", `${runKey(run)}/${agent}/${number}`);
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`];
  return [...parts, `8${digits.slice(17, 20)}`, digits.slice(20, 32)].join("-");
};
