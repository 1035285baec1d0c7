import { hash } from "node:crypto";
import type { JsonObject } from "../../kernel/index.ts";
import { workOf } from "../program/tool-work.ts";

/** The kinds of nodes of the graph of a life. */
export type NodeLabel = "Actor" | "Space" | "Thing" | "Narrative" | "Moment";

export type MomentNode = {
  readonly id: string;
  readonly label: NodeLabel;
  readonly name: string;
  /** What kind of its label it is, such as `CONVERSATION`. */
  readonly type: string;
  readonly synthesis: string;
  /** ISO 8601. */
  readonly timestamp: string;
} & JsonObject;

type MomentLink = {
  readonly from: string;
  readonly verb: "precedes" | "about" | "includes" | "creates";
  readonly to: string;
};

/**
 * One line of a file of moments. A node replaces an earlier one with its id. A link is known by its
 * two ends and its verb.
 */
export type MomentRecord = { readonly node: MomentNode } | { readonly link: MomentLink };

const AGENT_PREFIX = "AGENT_";
const HASH_CHARS = 12;

/** `AGENT_Witness` is called `Witness`. An id without the prefix is a name as it is. */
export const agentName = (actorId: string): string =>
  actorId.startsWith(AGENT_PREFIX) ? actorId.slice(AGENT_PREFIX.length) : actorId;

type MomentFacts = {
  readonly actorId: string;
  /** The number of the moment in the life of its actor. */
  readonly sequence: number;
  readonly type: string;
  readonly prose: string;
  readonly timestamp: string;
  /** The tools in it, with repetitions. */
  readonly toolsUsed: readonly string[];
  /** What the prose is most about, best first (`NodeNames`). */
  readonly terms: readonly string[];
  /** Nodes that it is about. */
  readonly about: readonly string[];
  /** The space that it happens in, or null. */
  readonly space: string | null;
  /** The moment before it in the life of its actor, or null. */
  readonly previous: string | null;
  readonly extra: JsonObject;
};

/** The moment as a node, and its links. The first record is the node. */
export const momentRecords = (facts: MomentFacts): readonly MomentRecord[] => {
  const { actorId, type, prose, timestamp, extra } = facts;
  const verb = momentVerb(facts.prose, facts.toolsUsed);
  const name = momentName({ ...facts, verb });
  const id = `WORK_${agentName(actorId)}_${name}_${momentHash(facts)}`;
  const node: MomentNode = {
    ...extra,
    ...{ id, label: "Moment", name, type, synthesis: prose, timestamp },
  };
  const links: readonly MomentLink[] = [
    { from: actorId, verb: "creates", to: id },
    ...(facts.previous === null
      ? []
      : [{ from: facts.previous, verb: "precedes", to: id } as const]),
    ...facts.about.map((about) => ({ from: id, verb: "about", to: about }) as const),
    ...(facts.space === null ? [] : [{ from: facts.space, verb: "includes", to: id } as const]),
  ];
  return [{ node }, ...links.map((link) => ({ link }))];
};

type NameParts = Pick<MomentFacts, "terms" | "type"> & { readonly verb: string };

/** The verb and the terms, or the verb and the type, such as `Working_Completion`. */
export const momentName = ({ verb, terms, type }: NameParts): string => {
  const [first = "", ...others] = type.toLowerCase();
  const words = terms.length > 0 ? terms : [`${first.toUpperCase()}${others.join("")}`];
  return [verb, ...words].join("_");
};

/** Two moments of one second, or with equal texts, have different hashes. */
const momentHash = ({ actorId, sequence, timestamp, prose }: MomentFacts): string =>
  hash("sha256", JSON.stringify([actorId, sequence, timestamp, prose])).slice(0, HASH_CHARS);

type MomentVerb =
  | "Debugging"
  | "Discovering"
  | "Refactoring"
  | "Exploring"
  | "Building"
  | "Working";

/** Whole words only: `debug` is not a bug, and `no errors found` is not an error. */
const SAID: readonly (readonly [verb: MomentVerb, words: RegExp])[] = [
  ["Debugging", /\b(bugs?|error)\b/i],
  ["Discovering", /\b(found|discovered)\b/i],
  ["Refactoring", /\brefactor(s|ed|ing)?\b/i],
];

/** How many times as many files are read as written, when a moment is an exploration. */
const EXPLORING_FACTOR = 2;

/** What someone does, by what they say, and else by the tools that they use. */
export const momentVerb = (prose: string, toolsUsed: readonly string[]): MomentVerb => {
  const said = SAID.find(([, words]) => words.test(prose));
  if (said !== undefined) return said[0];
  const works = toolsUsed.map(workOf);
  const reads = works.filter((work) => work === "read").length;
  const writes = works.filter((work) => work === "write").length;
  if (reads > EXPLORING_FACTOR * writes) return "Exploring";
  return writes > reads ? "Building" : "Working";
};
