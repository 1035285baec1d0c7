import type { Json, Sleep } from "../../kernel/index.ts";
import { sleepOf, sleepSchema } from "../script/sleep-schema.ts";

type SleepRead =
  | { readonly ok: true; readonly sleep: Sleep | null }
  | { readonly ok: false; readonly problem: string };

/** The sleep in a reply; what is wrong with it is said in one line. */
export const readSleep = (given: Json): SleepRead => {
  if (given === null) return { ok: true, sleep: null };
  const read = sleepSchema.safeParse(given);
  if (read.success) return { ok: true, sleep: sleepOf(read.data) };
  const [issue] = read.error.issues;
  const path = ["sleep", ...(issue?.path ?? [])].join(".");
  return { ok: false, problem: `${path}: ${issue?.message ?? "is not a sleep"}` };
};
