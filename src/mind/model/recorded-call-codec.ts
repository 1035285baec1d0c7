import type { RecordedCall, RecordedRequest } from "./recorded-call.ts";

/** A record as it is kept: a system text that an earlier one has is named by that one's number. */
type KeptCall = Omit<RecordedCall, "request"> & {
  readonly request: Omit<RecordedRequest, "system"> & { readonly system: string | number };
};

/** Writes the calls of one process, in their order. Most of them begin with the same long text. */
export class CallWriter {
  readonly #numbers = new Map<string, number>();

  /** `number` is the one under which the journal will keep the record. */
  write(call: RecordedCall, number: number): string {
    const { system } = call.request;
    const first = this.#numbers.get(system);
    if (first === undefined) this.#numbers.set(system, number);
    const request = { ...call.request, system: first ?? system };
    return JSON.stringify({ ...call, request } satisfies KeptCall);
  }
}

/** The inverse of `CallWriter.write`, for records that a journal of ours kept. */
export function* readCalls(
  rows: Iterable<{ readonly id: number; readonly body: string }>,
): Generator<RecordedCall, void, undefined> {
  const systems = new Map<number, string>();
  for (const { id, body } of rows) {
    const { request, ...call } = JSON.parse(body) as KeptCall;
    const { system: kept } = request;
    const system = typeof kept === "string" ? kept : (systems.get(kept) ?? "");
    if (typeof kept === "string") systems.set(id, kept);
    yield { ...call, request: { ...request, system } };
  }
}
