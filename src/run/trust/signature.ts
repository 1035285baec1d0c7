import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { jsonIn } from "../../kernel/index.ts";
import type { Environment } from "../../model/index.ts";
import { systemMessage } from "../../text/index.ts";
import { readPlainText } from "../config/index.ts";
import { replaceFile, runPaths } from "../files/run-files.ts";

const trustFile = z.strictObject({
  /** What the run may cause, sorted. */
  effects: z.array(z.string()),
  /** HMAC-SHA-256 of the effects with the key of the user, in hexadecimal. */
  signature: z.string(),
});

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}$/;

/** The folder of what is kept for a user of this machine. */
const stateFolder = (env: Environment): string => {
  const { XDG_STATE_HOME: state, HOME: home } = env;
  return join(state || join(home || homedir(), ".local", "state"), "catallaxy");
};

/** The secret of this user on this machine. Made at its first use. Null if it cannot be kept. */
const userKey = (env: Environment): string | null => {
  const folder = stateFolder(env);
  const path = join(folder, "key");
  const made = randomBytes(KEY_BYTES).toString("hex");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, made, { mode: 0o600, flag: "wx" });
    return made;
  } catch (error) {
    if (systemMessage(error, null) === null) throw error;
  }
  const read = readPlainText(path);
  return read.ok && KEY.test(read.text) ? read.text : null;
};

const signatureOf = (effects: readonly string[], key: string): string =>
  createHmac("sha256", key).update(JSON.stringify(effects)).digest("hex");

/** What the user of this machine lets a run cause. Empty if the run is of somebody else. */
export const trustedEffects = (folder: string, env: Environment): ReadonlySet<string> => {
  const read = readPlainText(runPaths(folder).trust);
  const { data } = trustFile.safeParse(read.ok ? jsonIn(read.text) : null);
  const key = data === undefined ? null : userKey(env);
  if (data === undefined || key === null) return new Set();
  const given = Buffer.from(data.signature);
  const right = Buffer.from(signatureOf(data.effects, key));
  const isSigned = given.length === right.length && timingSafeEqual(given, right);
  return new Set(isSigned ? data.effects : []);
};

/**
 * Signs what a run causes, so that the user of this machine is not asked again. Returns why it
 * cannot, or null.
 */
export const signEffects = (
  folder: string,
  effects: readonly string[],
  env: Environment,
): string | null => {
  if (effects.length === 0) return null;
  const key = userKey(env);
  if (key === null) return `cannot keep a key in ${stateFolder(env)}`;
  const sorted = [...new Set(effects)].toSorted();
  const signed = { effects: sorted, signature: signatureOf(sorted, key) };
  return replaceFile(runPaths(folder).trust, `${JSON.stringify(signed, null, 2)}\n`);
};
