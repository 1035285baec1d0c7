import { createHash, timingSafeEqual } from "node:crypto";
import { lstatSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { jsonIn, type Result } from "../../kernel/index.ts";
import {
  type ControlFailure,
  readPlainText,
  refusal,
  replaceFile,
  runPaths,
  showProblem,
} from "../../run/index.ts";
import { meantOrAll } from "../../text/index.ts";

/** The token of each seat by the id of its agent. */
const tokensSchema = z.record(z.string(), z.string().min(1));
type SeatTokens = z.infer<typeof tokensSchema>;

/** Writes `seats.json` so that only this user can read it. Returns why it cannot, or null. */
export const writeTokens = (folder: string, tokens: SeatTokens): string | null =>
  replaceFile(runPaths(folder).seats, `${JSON.stringify(tokens, null, 2)}\n`, 0o600);

/** The tokens in `seats.json`. None if the file is missing. */
export const readTokens = (folder: string): Result<{ tokens: SeatTokens }> => {
  const file = runPaths(folder).seats;
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return { ok: true, tokens: {} };
  const read = readPlainText(file);
  if (!read.ok) return { ok: false, problem: read.problems.map(showProblem).join("; ") };
  const tokens = tokensSchema.safeParse(jsonIn(read.text)).data;
  if (tokens !== undefined) return { ok: true, tokens };
  const cure = "remove it, and all seats get new tokens";
  return { ok: false, problem: `${file}: is not a map of tokens; ${cure}` };
};

/** The token of a seat of the run in `folder`, or which seats the run has. */
export const seatToken = (
  folder: string,
  agent: string,
): { readonly ok: true; readonly token: string } | ControlFailure => {
  const read = readTokens(folder);
  if (!read.ok) return refusal(read.problem);
  const { tokens } = read;
  const token = Object.hasOwn(tokens, agent) ? tokens[agent] : undefined;
  if (token !== undefined) return { ok: true, token };
  const ids = Object.keys(tokens);
  const run = basename(folder);
  return refusal(
    ids.length === 0
      ? `${run} has no seats; give a persona \`mind: seat\``
      : `${run} has no seat "${agent}"; ${meantOrAll(agent, ids)}`,
  );
};

/** Takes the same time for all wrong tokens. */
export const isSameToken = (given: string, token: string): boolean => {
  const hashOf = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hashOf(given), hashOf(token));
};
