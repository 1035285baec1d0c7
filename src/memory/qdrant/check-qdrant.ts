import { errorLine } from "../../channel/index.ts";
import type { Environment } from "../../model/index.ts";
import { inspectCollection, misfitOf } from "./collection.ts";
import { placeOf, type QdrantSettings, shownAddress } from "./qdrant-place.ts";
import { asking, statusOf } from "./qdrant-requests.ts";

/** `isDown` is true if the server may answer later. Otherwise, the settings are wrong. */
export type ServerCheck =
  | { readonly ok: true; readonly detail: string }
  | { readonly ok: false; readonly detail: string; readonly isDown: boolean };

const ANSWER_MS_MAX = 5_000;

/**
 * Asks the server for the collection of the settings. Checks also that the collection fits the
 * embedder of this name, unless the name is null.
 */
export const checkQdrant = async (
  qdrant: QdrantSettings,
  env: Environment,
  embedder: string | null,
): Promise<ServerCheck> => {
  const place = placeOf(qdrant, env, "");
  const { collection } = place;
  const where = shownAddress(place.url);
  // After this time, a request is not repeated.
  const ask = asking(place, AbortSignal.timeout(ANSWER_MS_MAX));
  try {
    const info = await inspectCollection(place, ask);
    if (info === null) {
      return { ok: true, detail: `${where} answers; the first memory creates ${collection}` };
    }
    const misfit = embedder === null ? null : misfitOf(info, embedder, { ...place, size: null });
    if (misfit !== null) return { ok: false, detail: misfit, isDown: false };
    return { ok: true, detail: `${where} answers and has the collection ${collection}` };
  } catch (error) {
    return failedCheck(error, where, qdrant.api_key_env, env);
  }
};

const failedCheck = (
  reason: unknown,
  where: string,
  keyVariable: string,
  env: Environment,
): ServerCheck => {
  const status = statusOf(reason);
  if (status === null && errorLine(reason).includes("redirect")) {
    const detail = `${where} answers with a redirect; set memory.qdrant.url to its target`;
    return { ok: false, detail, isDown: false };
  }
  if (status === null) {
    const detail = `no server answers at ${where}; start it, or correct memory.qdrant.url`;
    return { ok: false, detail, isDown: true };
  }
  const isKey = status === 401 || status === 403;
  const state = env[keyVariable] === undefined ? "missing" : "wrong";
  const cause = isKey ? `: the key in ${keyVariable} is ${state}` : "";
  return { ok: false, detail: `${where} answers with ${status}${cause}`, isDown: !isKey };
};
