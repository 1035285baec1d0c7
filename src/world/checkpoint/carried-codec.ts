import type { Beginning } from "../journal/index.ts";
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

/** For the text of a beginning, whose digest has been checked. */
export const carriedBy = ({ carried }: Pick<Beginning, "carried">): Carried => ({
  ...NOTHING_CARRIED,
  ...(JSON.parse(carried) as Partial<Carried>),
});
