import { z } from "zod";
import { asId, jsonIn } from "../../kernel/index.ts";
import { type Attempt, attempt, modelReply } from "./model.ts";
import { reasoningSetting } from "./reasoning.ts";
import { promptJson, type RecordedCall, requestKey } from "./recording.ts";

/** Encodes calls in order. Replaces a repeated system text by the number of its first record. */
export class CallWriter {
  readonly #numbers = new Map<string, number>();

  write(call: RecordedCall, number: number): string {
    const { request, ...about } = call;
    const { prompt: _, ...asked } = request;
    const first = this.#numbers.get(asked.system);
    if (first === undefined) this.#numbers.set(asked.system, number);
    const kept = { ...asked, system: first ?? asked.system };
    return withLast(about, "request", withLast(kept, "prompt", promptJson(request)));
  }
}

/** Adds a property to the JSON of a non-empty object. `json` is the value of the property. */
const withLast = (object: object, name: string, json: string): string =>
  `${JSON.stringify(object).slice(0, -1)},"${name}":${json}}`;

const count = z.int().min(0);

const keptCall = z.object({
  key: z.string(),
  request: z.object({
    model: z.string(),
    purpose: z.string(),
    agent: z.string().transform(asId).nullable(),
    /** The text, or the number of the earlier record that has the same text. */
    system: z.union([z.string(), count]),
    prompt: z.string(),
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
 * refer to an earlier system text. `read` checks each record, because a journal may be damaged.
 */
export class CallReader {
  readonly #systems = new Map<number, string>();

  read({ id, body }: CallRow): CallRead {
    const read = keptCall.safeParse(jsonIn(body));
    if (!read.success) return { ok: false, id, problem: problemIn(read.error) };
    const kept = read.data;
    const { system: stored } = kept.request;
    const system = typeof stored === "string" ? stored : this.#systems.get(stored);
    if (system === undefined) {
      return { ok: false, id, problem: `record ${stored}, whose system text it uses, is missing` };
    }
    if (typeof stored === "string") this.#systems.set(id, stored);
    const request = { ...kept.request, system };
    return requestKey(request) === kept.key
      ? { ok: true, id, call: { ...kept, request } }
      : { ok: false, id, problem: "its key does not match its request" };
  }
}

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
