import { z } from "zod";
import { isObject, jsonIn, MEMORY_KINDS } from "../../kernel/index.ts";
import { type Beginning, JournalFailure } from "../journal/index.ts";
import type { Ancestor } from "./checkpoint.ts";
import type { Remembered } from "./remembered.ts";

/** What a run takes along from the one it goes on from, beside the state of the world. */
export type Carried = {
  /** The runs that it goes back to, the oldest first. */
  readonly lineage: readonly Ancestor[];
  readonly memories: readonly Remembered[];
  /** What calls of language models had cost by then. */
  readonly spentMicros: number;
  /** The configuration of the run that it goes on from, as YAML; null where it is not known. */
  readonly config: string | null;
};

export const NOTHING_CARRIED: Carried = { lineage: [], memories: [], spentMicros: 0, config: null };

export const encodeCarried = (carried: Carried): string => JSON.stringify(carried);

const count = z.int().min(0);
const CARRIED: z.ZodType<Carried> = z.object({
  lineage: z.array(z.object({ run_id: z.string(), seq: count })),
  memories: z.array(
    z.object({
      agent: z.string(),
      number: count,
      atMs: count,
      kind: z.enum(MEMORY_KINDS),
      text: z.string(),
    }),
  ),
  spentMicros: count,
  config: z.string().nullable(),
});

/**
 * For the text of a beginning, whose digest has been checked.
 * @throws JournalFailure when somebody has put something else there.
 */
export const carriedBy = ({ carried }: Pick<Beginning, "carried">): Carried => {
  const given = jsonIn(carried);
  const parsed = CARRIED.safeParse(isObject(given) ? { ...NOTHING_CARRIED, ...given } : given);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join(".") || "all of it";
  const what = `what it carries along from an earlier run is no such thing: ${where}`;
  throw new JournalFailure(`journal failed: ${what}; use a copy of it`);
};
