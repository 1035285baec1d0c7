import type { NodeLabel } from "../../coding-agents/index.ts";
import type { Narrative } from "../describe/event-descriptions.ts";
import type { ShownMoment } from "./shown-moment.ts";

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

type MomentGraph = {
  readonly nodes: readonly MomentNode[];
  /** Each link occurs once, by `from`, `verb` and `to`. */
  readonly links: readonly MomentLink[];
};

/** The graph of some moments. A moment precedes the next one of its actor among them. */
export const graphOf = (moments: readonly ShownMoment[]): MomentGraph => {
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
