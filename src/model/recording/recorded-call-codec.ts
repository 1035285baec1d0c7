import { z } from "zod";
import { asId, jsonIn } from "../../kernel/index.ts";
import { type Attempt, attempt, modelReply } from "../port/model.ts";
import { reasoningSetting } from "../port/reasoning.ts";
import { type RecordedCall, requestKey } from "./recording.ts";

/** A prompt is written in full after this many prompts that continue others. */
const CONTINUED_MAX = 50;

type LastPrompt = {
  readonly number: number;
  readonly prompt: string;
  /** How many records must be read for this prompt, apart from its own. */
  readonly depth: number;
};

/**
 * Encodes calls in order. Replaces a repeated system text by the number of its first record. A
 * prompt can continue that of the agent's last record, because each step of a conversation sends
 * all of it again.
 */
export class CallWriter {
  readonly #numbers = new Map<string, number>();
  readonly #prompts = new Map<string | null, LastPrompt>();

  write(call: RecordedCall, number: number): string {
    const { request, ...about } = call;
    const { prompt: _, ...asked } = request;
    const first = this.#numbers.get(asked.system);
    if (first === undefined) this.#numbers.set(asked.system, number);
    const kept = { ...asked, system: first ?? asked.system };
    return withLast(about, "request", withLast(kept, "prompt", this.#promptOf(request, number)));
  }

  #promptOf(request: RecordedCall["request"], number: number): string {
    const { agent, prompt } = request;
    const last = this.#prompts.get(agent) ?? null;
    const same = last === null ? 0 : sameChars(last.prompt, prompt);
    const isFull = last === null || last.depth >= CONTINUED_MAX || same * 2 < prompt.length;
    this.#prompts.set(agent, { number, prompt, depth: isFull ? 0 : last.depth + 1 });
    if (isFull) return JSON.stringify(prompt);
    return JSON.stringify({ record: last.number, chars: same, rest: prompt.slice(same) });
  }
}

/** Texts are compared in pieces of this length first, which is faster than by character. */
const PIECE_CHARS = 1_024;

/** The number of characters with which both texts begin. */
const sameChars = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length);
  let same = 0;
  const isSame = (to: number): boolean => a.slice(same, to) === b.slice(same, to);
  while (same + PIECE_CHARS <= most && isSame(same + PIECE_CHARS)) same += PIECE_CHARS;
  while (same < most && a.charCodeAt(same) === b.charCodeAt(same)) same += 1;
  return same;
};

/** Adds a property to the JSON of a non-empty object. `json` is the value of the property. */
const withLast = (object: object, name: string, json: string): string =>
  `${JSON.stringify(object).slice(0, -1)},"${name}":${json}}`;

const count = z.int().min(0);

/** The text, or the first `chars` of the prompt of an earlier record, followed by `rest`. */
const keptPrompt = z.union([
  z.string(),
  z.object({ record: count, chars: count, rest: z.string() }),
]);

const keptCall = z.object({
  key: z.string(),
  request: z.object({
    model: z.string(),
    purpose: z.string(),
    agent: z.string().transform(asId).nullable(),
    /** The text, or the number of the earlier record that has the same text. */
    system: z.union([z.string(), count]),
    prompt: keptPrompt,
    form: z.string().nullable(),
    temperature: z.number().nullable(),
    maxTokens: count,
    reasoning: reasoningSetting.nullable(),
  }),
  reply: modelReply,
  costMicros: count,
  priced: z.boolean(),
  atMs: z.number().min(0),
});

type CallRead =
  | { readonly ok: true; readonly id: number; readonly call: RecordedCall }
  | { readonly ok: false; readonly id: number; readonly problem: string };

type CallRow = { readonly id: number; readonly body: string };

/**
 * Decodes the records of `CallWriter`. `read` must get all records in order, because a record may
 * refer to an earlier one. Afterwards, with `rowOf`, it can read any of them again. `read` checks
 * each record, because a journal may be damaged.
 */
export class CallReader {
  readonly #systems = new Map<number, string>();
  readonly #prompts = new Map<string | null, Pick<LastPrompt, "number" | "prompt">>();
  readonly #rowOf: (id: number) => CallRow | null;

  constructor(rowOf: (id: number) => CallRow | null = () => null) {
    this.#rowOf = rowOf;
  }

  read({ id, body }: CallRow): CallRead {
    const read = keptCall.safeParse(jsonIn(body));
    if (!read.success) return { ok: false, id, problem: problemIn(read.error) };
    const kept = read.data;
    const { system: stored, agent } = kept.request;
    const system = typeof stored === "string" ? stored : this.#systems.get(stored);
    if (system === undefined) {
      return { ok: false, id, problem: `record ${stored}, whose system text it uses, is missing` };
    }
    if (typeof stored === "string") this.#systems.set(id, stored);
    const prompt = this.#promptIn(kept.request, id);
    if (prompt === null) {
      return { ok: false, id, problem: "the record whose prompt it continues is missing" };
    }
    this.#prompts.set(agent, { number: id, prompt });
    const request = { ...kept.request, system, prompt };
    return requestKey(request) === kept.key
      ? { ok: true, id, call: { ...kept, request } }
      : { ok: false, id, problem: "its key does not match its request" };
  }

  #promptIn({ prompt, agent }: KeptRequest, id: number): string | null {
    if (typeof prompt === "string") return prompt;
    // In a damaged journal, records could refer to each other in a circle.
    if (prompt.record >= id) return null;
    const last = this.#prompts.get(agent);
    const start = last?.number === prompt.record ? last.prompt : this.#promptAt(prompt.record);
    return start === null ? null : `${start.slice(0, prompt.chars)}${prompt.rest}`;
  }

  #promptAt(record: number): string | null {
    const read = keptCall.safeParse(jsonIn(this.#rowOf(record)?.body ?? ""));
    return read.success ? this.#promptIn(read.data.request, record) : null;
  }
}

type KeptRequest = z.infer<typeof keptCall>["request"];

/** Reads all records of a journal, starting with the first. Reports missing records as problems. */
export function* readCalls(rows: Iterable<CallRow>): Generator<CallRead, void, undefined> {
  const reader = new CallReader();
  let last = 0;
  for (const row of rows) {
    const { id } = row;
    if (id !== last + 1) yield { ok: false, id: last + 1, problem: "it is missing" };
    last = id;
    yield reader.read(row);
  }
}

const problemIn = ({ issues: [issue] }: z.ZodError): string => {
  const where = issue?.path.join(".") ?? "";
  const what = issue?.message ?? "not a record";
  return where === "" ? what : `${where}: ${what}`;
};

const costing = z.object({
  costMicros: count,
  reply: z.object({ attempts: z.array(attempt).exactOptional() }),
});

/** Reads the cost and the attempts of a recorded call. Returns 0 and [] for a damaged record. */
export const spendingIn = (
  body: string,
): { readonly costMicros: number; readonly attempts: readonly Attempt[] } => {
  const { costMicros, reply } = costing.safeParse(jsonIn(body)).data ?? {
    costMicros: 0,
    reply: {},
  };
  return { costMicros, attempts: reply.attempts ?? [] };
};

export const costIn = (body: string): number => spendingIn(body).costMicros;
