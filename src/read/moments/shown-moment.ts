import { hash } from "node:crypto";
import { momentName, type NodeLabel, type NodeNames } from "../../coding-agents/index.ts";
import type { Narrative } from "../../figures/index.ts";
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

/** The id and the name of a moment. Its terms come from `names`, and its hash from its prose. */
export const titleOf = (
  { actor, seq, type, verb, names: known }: AgentMoment,
  names: NodeNames,
  prose: string,
): MomentTitle => {
  const terms = names.termsFor(prose, { count: known, without: actor });
  const name = momentName({ verb, terms, type });
  const digest = hash("sha256", JSON.stringify([actor, seq, prose])).slice(0, 4);
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

/** A node. `synthesis` is the text of a moment, and the name of any other node. */
type MomentNode = {
  readonly id: string;
  readonly label: NodeLabel;
  readonly name: string;
  /** The type of a moment, the kind of a narrative, or the kind of any other node. */
  readonly type: string;
  readonly synthesis: string;
  /** The last event of a moment, and its run time. Absent for other nodes. */
  readonly seq?: number;
  readonly at_ms?: number;
  readonly paid?: number;
  readonly received?: number;
  readonly minted?: number;
};

/**
 * `precedes`: a moment → the next one of its actor. `about`: a moment → what it touched.
 * `includes`: a space → a moment. `creates`: an actor → a moment, and a moment → a thing.
 */
type MomentLink = {
  readonly from: string;
  readonly verb: "precedes" | "about" | "includes" | "creates";
  readonly to: string;
};

/**
 * The graph of some moments. A moment precedes the next one of its actor among them. Each link
 * occurs once, by `from`, `verb` and `to`.
 */
export const graphOf = (moments: readonly ShownMoment[]) => {
  const nodes = new Map<string, MomentNode>();
  const links = new Map<string, MomentLink>();
  const last = new Map<string, string>();
  for (const moment of moments) {
    for (const node of [...aroundOf(moment), momentNode(moment)]) {
      if (!nodes.has(node.id)) nodes.set(node.id, node);
    }
    const before = last.get(moment.actor);
    const all = [
      ...(before === undefined ? [] : [{ from: before, verb: "precedes", to: moment.id } as const]),
      ...linksOf(moment),
    ];
    for (const link of all) links.set(JSON.stringify([link.from, link.verb, link.to]), link);
    last.set(moment.actor, moment.id);
  }
  return { nodes: [...nodes.values()], links: [...links.values()] };
};

const momentNode = (moment: ShownMoment): MomentNode => {
  const { id, name, type, prose: synthesis, seq, at_ms, paid, received, minted } = moment;
  return { id, label: "Moment", name, type, synthesis, seq, at_ms, paid, received, minted };
};

const PREFIXES = { Actor: "AGENT", Space: "SPACE", Thing: "THING", Narrative: "NARRATIVE" };

const nodeOf = (label: keyof typeof PREFIXES, name: string, type: string): MomentNode => {
  return { id: `${PREFIXES[label]}_${name}`, label, name, type, synthesis: name };
};

const actorNode = (agent: string): MomentNode => nodeOf("Actor", agent, "agent");
const spaceNode = (space: string): MomentNode => nodeOf("Space", space, "space");
const thingNode = (artifact: string): MomentNode => nodeOf("Thing", artifact, "artifact");
const narrativeNode = ({ kind, id }: Narrative): MomentNode =>
  nodeOf("Narrative", `${kind}_${id}`, kind);

const aboutOf = ({ things, narratives }: ShownMoment): readonly MomentNode[] => [
  ...things.map(thingNode),
  ...narratives.map(narrativeNode),
];

const aroundOf = (moment: ShownMoment): readonly MomentNode[] => [
  actorNode(moment.actor),
  spaceNode(moment.space),
  ...aboutOf(moment),
];

const linksOf = (moment: ShownMoment): readonly MomentLink[] => {
  const { id } = moment;
  const made = moment.written.filter(({ created }) => created);
  return [
    { from: actorNode(moment.actor).id, verb: "creates", to: id },
    { from: spaceNode(moment.space).id, verb: "includes", to: id },
    ...aboutOf(moment).map((node) => ({ from: id, verb: "about", to: node.id }) as const),
    ...made.map(({ artifact }) => {
      return { from: id, verb: "creates", to: thingNode(artifact).id } as const;
    }),
  ];
};
