import { z } from "zod";
import { jsonIn } from "../../kernel/index.ts";
import { type Attempt, MODEL_FAULTS } from "./model.ts";
import { promptJson, type RecordedCall, type RecordedRequest, requestKey } from "./recording.ts";

/** A stored record: a repeated system text is replaced by the number of its first record. */
type KeptCall = Omit<RecordedCall, "request"> & {
  readonly request: Omit<RecordedRequest, "system"> & { readonly system: string | number };
};

/** Encodes the calls of one process in order. Most of them share a long system text. */
export class CallWriter {
  readonly #numbers = new Map<string, number>();

  /** `number`: the id of the record in the journal. */
  write(call: RecordedCall, number: number): string {
    const { request, ...about } = call;
    const { prompt: _, ...asked } = request;
    const first = this.#numbers.get(asked.system);
    if (first === undefined) this.#numbers.set(asked.system, number);
    const kept: Omit<KeptCall["request"], "prompt"> = { ...asked, system: first ?? asked.system };
    const question = withLast(kept, "prompt", promptJson(request));
    return withLast(about satisfies Omit<KeptCall, "request">, "request", question);
  }
}

/** The JSON of a non-empty object with one more property, whose value is JSON already. */
const withLast = (object: object, name: string, json: string): string =>
  `${JSON.stringify(object).slice(0, -1)},"${name}":${json}}`;

const count = z.int().min(0);

const usage = z.object({
  input: count,
  cachedInput: count,
  output: count,
  reasoning: count,
  estimated: z.boolean(),
});

const attempt = z.object({ model: z.string(), key: count, tokens: count, endedMs: z.number() });

const ended = {
  servedBy: z.string(),
  usage,
  latencyMs: z.number().min(0),
  attempts: z.array(attempt).exactOptional(),
};

const keptCall = z.object({
  key: z.string(),
  request: z.object({
    model: z.string(),
    purpose: z.string(),
    agent: z.string().nullable(),
    system: z.union([z.string(), count]),
    prompt: z.string(),
    form: z.string().nullable(),
    temperature: z.number().nullable(),
    maxTokens: count,
  }),
  reply: z.discriminatedUnion("ok", [
    z.object({ ok: z.literal(true), text: z.string(), ...ended }),
    z.object({
      ok: z.literal(false),
      fault: z.enum(MODEL_FAULTS),
      message: z.string(),
      retriable: z.boolean(),
      retryAfterMs: z.number().min(0).nullable(),
      ...ended,
    }),
  ]),
  costMicros: count,
  priced: z.boolean(),
  atMs: z.number().min(0),
});

/** One record of a journal: a call or a problem. */
export type CallRead =
  | { readonly ok: true; readonly id: number; readonly call: RecordedCall }
  | { readonly ok: false; readonly id: number; readonly problem: string };

type CallRow = { readonly id: number; readonly body: string };

/**
 * The inverse of `CallWriter`: decodes records in order, because one may refer to the system text
 * of an earlier one. A journal may be damaged, so each record is checked: its form, its system
 * text, and that its key matches its request.
 */
export class CallReader {
  readonly #systems = new Map<number, string>();

  read({ id, body }: CallRow): CallRead {
    const read = keptCall.safeParse(jsonIn(body));
    return read.success ? this.#wholeCall(id, decoded(read.data)) : unread(id, read.error);
  }

  #wholeCall(id: number, kept: KeptCall): CallRead {
    const { system: named } = kept.request;
    const system = typeof named === "string" ? named : this.#systems.get(named);
    if (system === undefined) {
      return { ok: false, id, problem: `record ${named}, whose system text it uses, is missing` };
    }
    if (typeof named === "string") this.#systems.set(id, named);
    const request = { ...kept.request, system };
    return requestKey(request) === kept.key
      ? { ok: true, id, call: { ...kept, request } }
      : { ok: false, id, problem: "its key does not match its request" };
  }
}

/** All records of a journal from the first one; missing records are reported too. */
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

/** Ids are accepted as they are; the kernel checks them. */
const decoded = (kept: z.infer<typeof keptCall>): KeptCall => kept as KeptCall;

const unread = (id: number, { issues: [issue] }: z.ZodError): CallRead => {
  const where = issue?.path.join(".") ?? "";
  const what = issue?.message ?? "not a record";
  return { ok: false, id, problem: where === "" ? what : `${where}: ${what}` };
};

const costing = z.object({
  costMicros: count,
  reply: z.object({ attempts: z.array(attempt).exactOptional() }),
});

/** The cost of a call and its use of limits. */
export type Outlay = { readonly costMicros: number; readonly attempts: readonly Attempt[] };

const NO_OUTLAY: Outlay = { costMicros: 0, attempts: [] };

/** The outlay of a record; zero if it is damaged. */
export const outlayIn = (body: string): Outlay => {
  const read = costing.safeParse(jsonIn(body));
  if (!read.success) return NO_OUTLAY;
  const { costMicros, reply } = read.data;
  return { costMicros, attempts: reply.attempts ?? [] };
};

export const costIn = (body: string): number => outlayIn(body).costMicros;
