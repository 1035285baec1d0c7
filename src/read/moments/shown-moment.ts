import { hash } from "node:crypto";
import { momentName, type NodeNames } from "../../coding-agents/index.ts";
import { capitalised } from "../../text/index.ts";
import type { JournalReader } from "../../world/index.ts";
import { type AgentHistories, proseOf } from "./agent-histories.ts";
import { type AgentMoment, type MomentSums, sumsOf } from "./agent-moment.ts";

type MomentTitle = {
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
  { actor, seq, type, verb, names: known }: AgentMoment,
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
  Omit<AgentMoment, "names" | "hasTools"> &
  MomentSums & { readonly prose: string };

/** Gives the id of the moment that an event ended. Null if the event ended no moment. */
export const momentIds = (journal: JournalReader, histories: AgentHistories) => {
  return (seq: number): string | null => {
    const moment = histories.at(seq);
    return moment === null ? null : titleOf(moment, histories.names, proseOf(journal, moment)).id;
  };
};

/**
 * Reads the texts of moments, and shows them as they were after event `upTo`. `proses` are the texts
 * that are known already, by `seq`.
 */
export const shownMoments = (
  journal: JournalReader,
  histories: AgentHistories,
  moments: readonly AgentMoment[],
  upTo: number,
  proses: ReadonlyMap<number, string> = new Map(),
): readonly ShownMoment[] =>
  moments.map((moment) => {
    const { names: _, hasTools: __, ...about } = moment;
    const prose = proses.get(moment.seq) ?? proseOf(journal, moment);
    const money = moment.money.filter(({ seq }) => seq <= upTo);
    return {
      ...titleOf(moment, histories.names, prose),
      ...about,
      money,
      ...sumsOf({ money }),
      prose,
    };
  });
