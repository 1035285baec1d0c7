import { basename } from "node:path";
import { cutText, type JsonObject } from "../../kernel/index.ts";
import {
  type ConversationBatch,
  conversationTurns,
  groupTurnsIntoBatches,
} from "../program/conversation-batch.ts";
import type { Segment } from "../program/stream/segment.ts";
import { filesTouched } from "../program/tool-work.ts";
import { agentName, type MomentNode, type MomentRecord, momentRecords } from "./moment-records.ts";
import { NodeNames } from "./salient-terms.ts";

const ERROR_CHARS_MAX = 200;
const PREVIEW_CHARS_MAX = 500;

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

type Told = {
  readonly type: "ASSIGNMENT" | "CONVERSATION" | "COMPLETION";
  readonly prose: string;
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
    const prose = `Agent ${name} assigned to: ${prompt}`;
    return [...nodes, ...this.#moment({ type: "ASSIGNMENT", prose })];
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
    for (const [at, batch] of batches.entries()) {
      const own = segments.slice(from, from + batch.turn_count);
      records.push(...this.#batch(batch, at, filesTouched(own)));
      from += batch.turn_count;
    }
    return [...records, ...this.#completion(done, batches)];
  }

  #batch(
    { summary, turn_count, tools_used }: ConversationBatch,
    batch_index: number,
    files: readonly string[],
  ): readonly MomentRecord[] {
    return this.#moment({
      type: "CONVERSATION",
      prose: summary,
      tools: tools_used,
      files,
      extra: { batch_index, turn_count },
    });
  }

  #completion(
    { success, error, output, duration_ms }: WorkDone,
    batches: readonly ConversationBatch[],
  ): readonly MomentRecord[] {
    const status = success ? "completed" : "failed";
    const total_turns = batches.reduce((sum, { turn_count }) => sum + turn_count, 0);
    const said = batches.length === 0 && output !== "";
    const preview = cutText(output, PREVIEW_CHARS_MAX);
    return this.#moment({
      type: "COMPLETION",
      prose: `Agent ${agentName(this.#parts.actorId)} ${status} after ${batches.length} batches`,
      extra: {
        status,
        duration_seconds: Math.round(duration_ms / 10) / 100,
        total_turns,
        ...(error === null ? {} : { error: cutText(error, ERROR_CHARS_MAX) }),
        ...(said ? { output_preview: `${preview}...`, output_length: output.length } : {}),
      },
    });
  }

  #moment({ type, prose, tools = [], files = [], extra = {} }: Told): readonly MomentRecord[] {
    const { actorId, folder, now } = this.#parts;
    const terms = this.#names.termsFor(prose);
    const place = { sequence: this.#sequence, previous: this.#previous };
    const records = momentRecords({
      ...{ actorId, type, prose, terms, extra, toolsUsed: tools, ...place },
      timestamp: now().toISOString(),
      about: files.map(thingId),
      space: spaceId(folder),
    });
    const [first] = records;
    this.#sequence += 1;
    if (first !== undefined && "node" in first) this.#previous = first.node.id;
    return records;
  }

  #node(own: Pick<MomentNode, "id" | "label" | "name" | "type">): MomentRecord {
    const { id, label, name, type } = own;
    const timestamp = this.#parts.now().toISOString();
    return { node: { id, label, name, type, synthesis: name, timestamp } };
  }
}

const spaceId = (folder: string): string => `SPACE_${folder}`;
const thingId = (file: string): string => `THING_${file}`;
