import { hash } from "node:crypto";
import { z } from "zod";
import { addressProblem, type Environment, type Frozen } from "../../model/index.ts";

export const qdrantSettings = z.strictObject({
  url: z
    .string()
    .superRefine((text, context) => {
      const problem = addressProblem(text);
      if (problem !== null) context.addIssue(problem);
    })
    .nullable(),
  api_key_env: z.string().min(1),
  collection: z.string().regex(/^[A-Za-z0-9_.-]{1,255}$/),
});
export type QdrantSettings = Frozen<z.infer<typeof qdrantSettings>>;

/** The place of a run's memories on a Qdrant server. */
export type QdrantPlace = {
  readonly url: string;
  readonly apiKey: string | null;
  readonly collection: string;
  /** The key of the run. Several runs share a collection and use the same names of artifacts. */
  readonly run: string;
};

export const placeOf = (settings: QdrantSettings, env: Environment, run: string): QdrantPlace => {
  const { url, api_key_env, collection } = settings;
  return { url: url ?? "", apiKey: env[api_key_env] ?? null, collection, run };
};

/** Returns the part of an address that people may see: it has no path, which can be a secret. */
export const shownAddress = (url: string): string => new URL(withPort(url)).origin;

const QDRANT_PORT = 6333;

/** Adds Qdrant's default port to a URL without a port, as the Qdrant client does. */
export const withPort = (url: string): string => {
  const bare = url.replace(/\/+$/, "");
  return /^https?:\/\/[^/]*:\d+/.test(bare)
    ? bare
    : bare.replace(/^(https?:\/\/[^/]+)/, `$1:${QDRANT_PORT}`);
};

/** Returns a hash of the run's key, because mem0 refuses ids with white space. */
export const runHash = (run: string): string => hash("sha256", run).slice(0, 32);

/** Returns the same UUID for the same record, so that adding a record twice stores it once. */
export const pointId = (run: string, artifact: string, number: number): string => {
  const digits = hash("sha256", `${runHash(run)}/${artifact}/${number}`);
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`];
  return [...parts, `8${digits.slice(17, 20)}`, digits.slice(20, 32)].join("-");
};
