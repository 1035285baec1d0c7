import { hash } from "node:crypto";
import { momentName, type NodeNames } from "../../coding-agents/index.ts";
import { capitalised } from "../../text/index.ts";
import type { JournalReader } from "../../world/index.ts";
import { type LifeMoment, type MomentSums, sumsOf } from "./life-moment.ts";
import type { Lives } from "./lives.ts";
import { proseOf } from "./read-lives.ts";

export type MomentTitle = {
  /**
   * Such as `WORK_Ada_Building_BooleWrap_7kc0f3`. Its last part is the number of the moment's event
   * in base 36, then a hash of actor, number and prose. Two moments of a run never have the same
   * number, so their ids differ even if their hashes do not.
   */
  readonly id: string;
  /** Such as `Building_BooleWrap`, or `Working_Completion` without terms. */
  readonly name: string;
};

const HASH_CHARS = 4;

/** The id and the name of a moment. Its terms come from `names`, and its hash from its prose. */
export const titleOf = (
  { actor, seq, type, verb, names: known }: LifeMoment,
  names: NodeNames,
  prose: string,
): MomentTitle => {
  const terms = names.termsFor(prose, { count: known, without: actor });
  const name = momentName({ verb, terms, type });
  const digest = hash("sha256", JSON.stringify([actor, seq, prose])).slice(0, HASH_CHARS);
  return { id: `WORK_${capitalised(actor)}_${name}_${seq.toString(36)}${digest}`, name };
};

/** A moment as people and programs see it. */
export type ShownMoment = MomentTitle &
  Omit<LifeMoment, "names" | "hasTools"> &
  MomentSums & { readonly prose: string };

/** Gives the id of the moment that an event ended. Null if the event ended no moment. */
export const momentIds = (journal: JournalReader, lives: Lives) => {
  return (seq: number): string | null => {
    const moment = lives.at(seq);
    return moment === null ? null : titleOf(moment, lives.names, proseOf(journal, moment)).id;
  };
};

type Shown = {
  readonly moments: readonly LifeMoment[];
  /** The last event. */
  readonly upTo: number;
  /** The texts that are known already, by `seq`. */
  readonly proses?: ReadonlyMap<number, string>;
};

/** Reads the texts of moments, and shows them as they were after event `upTo`. */
export const shownMoments = (
  journal: JournalReader,
  lives: Lives,
  { moments, upTo, proses }: Shown,
): readonly ShownMoment[] =>
  moments.map((moment) => {
    const { names: _, hasTools: __, ...about } = moment;
    const prose = proses?.get(moment.seq) ?? proseOf(journal, moment);
    const money = moment.money.filter(({ seq }) => seq <= upTo);
    return { ...titleOf(moment, lives.names, prose), ...about, money, ...sumsOf({ money }), prose };
  });
