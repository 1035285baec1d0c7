import { hash } from "node:crypto";
import { basename } from "node:path";
import { cutText, isList, isObject, type Json, type JsonObject } from "../../kernel/index.ts";
import { momentName, momentVerb, type NodeLabel, NodeNames } from "../moments/moment-names.ts";
import {
  type ConversationBatch,
  conversationTurns,
  groupTurnsIntoBatches,
} from "../program/conversation-batch.ts";
import type { Segment } from "../program/stream/segment.ts";

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

/** `AGENT_Witness` is called `Witness`. An id without the prefix is a name as it is. */
export const agentName = (actorId: string): string =>
  actorId.startsWith(AGENT_PREFIX) ? actorId.slice(AGENT_PREFIX.length) : actorId;

type WorkDone = {
  readonly success: boolean;
  readonly error: string | null;
  readonly output: string;
  readonly segments: readonly Segment[];
  readonly duration_ms: number;
};

type WorkParts = {
  readonly actorId: string;
  /** The folder that the agent works in. */
  readonly folder: string;
  /** The number of moments in the life of the actor so far, and the last of them. */
  readonly sequence: number;
  readonly previous: string | null;
  readonly now: () => Date;
};

type Details = {
  readonly tools?: readonly string[];
  /** Files that the moment is about. */
  readonly files?: readonly string[];
  readonly extra?: JsonObject;
};

/**
 * Tells one task of a coding agent as moments: that it was assigned, each batch of its
 * conversation, and that it ended. Each follows the one before it.
 */
export class WorkMoments {
  readonly #parts: WorkParts;
  /** The names of nodes that moments can be about. */
  readonly #names = new NodeNames();
  #sequence: number;
  #previous: string | null;

  constructor(parts: WorkParts) {
    this.#parts = parts;
    // The name of the agent is in the id of each of its moments anyway.
    this.#names.add(basename(parts.folder));
    this.#sequence = parts.sequence;
    this.#previous = parts.previous;
  }

  /** How many moments the actor has, and the last of them. */
  get place(): { readonly sequence: number; readonly previous: string | null } {
    return { sequence: this.#sequence, previous: this.#previous };
  }

  assigned(prompt: string): readonly MomentRecord[] {
    const { actorId, folder } = this.#parts;
    const name = agentName(actorId);
    const nodes = [
      this.#node({ id: actorId, label: "Actor", name, type: "agent" }),
      this.#node({ id: spaceId(folder), label: "Space", name: basename(folder), type: "folder" }),
    ];
    return [...nodes, ...this.#moment("ASSIGNMENT", `Agent ${name} assigned to: ${prompt}`)];
  }

  ended(done: WorkDone): readonly MomentRecord[] {
    const segments = done.segments.filter(({ kind }) => kind !== "unknown");
    const files = filesTouched(segments);
    for (const file of files) this.#names.add(basename(file));
    const things = files.map((file) =>
      this.#node({ id: thingId(file), label: "Thing", name: basename(file), type: "file" }),
    );
    const batches = groupTurnsIntoBatches(conversationTurns(segments));
    const records = [...things];
    let from = 0;
    for (const [batch_index, { summary, turn_count, tools_used: tools }] of batches.entries()) {
      const own = filesTouched(segments.slice(from, from + turn_count));
      const extra = { batch_index, turn_count };
      records.push(...this.#moment("CONVERSATION", summary, { tools, files: own, extra }));
      from += turn_count;
    }
    return [...records, ...this.#completion(done, batches)];
  }

  #completion(
    { success, error, output, duration_ms }: WorkDone,
    batches: readonly ConversationBatch[],
  ): readonly MomentRecord[] {
    const status = success ? "completed" : "failed";
    const total_turns = batches.reduce((sum, { turn_count }) => sum + turn_count, 0);
    const said = batches.length === 0 && output !== "";
    const preview = cutText(output, 500);
    const prose = `Agent ${agentName(this.#parts.actorId)} ${status} after ${batches.length} batches`;
    return this.#moment("COMPLETION", prose, {
      extra: {
        status,
        duration_seconds: Math.round(duration_ms / 10) / 100,
        total_turns,
        ...(error === null ? {} : { error: cutText(error, 200) }),
        ...(said ? { output_preview: `${preview}...`, output_length: output.length } : {}),
      },
    });
  }

  #moment(
    type: "ASSIGNMENT" | "CONVERSATION" | "COMPLETION",
    prose: string,
    { tools = [], files = [], extra = {} }: Details = {},
  ): readonly MomentRecord[] {
    const { actorId, folder, now } = this.#parts;
    const timestamp = now().toISOString();
    const terms = this.#names.termsFor(prose);
    const name = momentName({ verb: momentVerb(prose, tools), terms, type });
    // Two moments of one second, or with equal texts, have different hashes.
    const facts = JSON.stringify([actorId, this.#sequence, timestamp, prose]);
    const id = `WORK_${agentName(actorId)}_${name}_${hash("sha256", facts).slice(0, 12)}`;
    const node = {
      ...extra,
      id,
      label: "Moment",
      name,
      type,
      synthesis: prose,
      timestamp,
    } as const;
    const links: readonly MomentLink[] = [
      { from: actorId, verb: "creates", to: id },
      ...(this.#previous === null
        ? []
        : [{ from: this.#previous, verb: "precedes", to: id } as const]),
      ...files.map((file) => ({ from: id, verb: "about", to: thingId(file) }) as const),
      { from: spaceId(folder), verb: "includes", to: id },
    ];
    this.#sequence += 1;
    this.#previous = id;
    return [{ node }, ...links.map((link) => ({ link }))];
  }

  #node(own: Pick<MomentNode, "id" | "label" | "name" | "type">): MomentRecord {
    const { id, label, name, type } = own;
    const timestamp = this.#parts.now().toISOString();
    return { node: { id, label, name, type, synthesis: name, timestamp } };
  }
}

const spaceId = (folder: string): string => `SPACE_${folder}`;
const thingId = (file: string): string => `THING_${file}`;

const PATH_KEYS = ["file_path", "notebook_path", "absolute_path", "path"];

/** The paths of files that tools have named in their inputs, each once, in order. */
const filesTouched = (segments: readonly Segment[]): readonly string[] => [
  ...new Set(segments.flatMap((each) => (each.kind === "tool_use" ? pathsIn(each.input) : []))),
];

const pathsIn = (input: Json): readonly string[] => {
  if (!isObject(input)) return [];
  const own = PATH_KEYS.flatMap((key) => {
    const path = input[key];
    return typeof path === "string" && path.trim() !== "" ? [path] : [];
  });
  const { changes } = input;
  return changes !== undefined && isList(changes) ? [...own, ...changes.flatMap(pathsIn)] : own;
};
