import { cancelled, failed, final } from "./failure.ts";
import type { Model, ModelReply } from "./model.ts";
import { type RecordedCall, recordedRequest, requestKey } from "./recorded-call.ts";
import { VECTORS } from "./vectors.ts";

export type ReplayCounts = {
  readonly hits: number;
  readonly misses: number;
  /** Recorded replies that nobody has asked for yet. */
  readonly left: number;
};

export type Replay = { readonly model: Model; counts(): ReplayCounts };

/** The calls of another run, and what becomes of a request that is not among them. */
export type Recording = {
  readonly calls: Iterable<RecordedCall>;
  readonly otherwise: "fail" | "ask";
};

/**
 * Answers from recorded calls. Replies to equal requests are given in the order in which they were
 * recorded, each once. What is not recorded goes to `live`; without one it fails.
 */
export const replaying = (calls: Iterable<RecordedCall>, live: Model | null): Replay => {
  const replies = new Map<string, ModelReply[]>();
  let [hits, misses, left] = [0, 0, 0];
  for (const { key, request, reply } of calls) {
    // Vectors are not recorded, only what they cost: nobody can be answered with that.
    if (request.form === VECTORS.name) continue;
    const same = replies.get(key);
    if (same === undefined) replies.set(key, [reply]);
    else same.push(reply);
    left += 1;
  }
  const model: Model = {
    ask: async (request, signal) => {
      if (signal.aborted) return cancelled(request.model, 0);
      const reply = replies.get(requestKey(recordedRequest(request)))?.shift();
      if (reply !== undefined) {
        hits += 1;
        left -= 1;
        return reply;
      }
      misses += 1;
      if (live !== null) return await live.ask(request, signal);
      const asker = request.agent ?? "the run";
      const message = `no reply is recorded for this "${request.purpose}" call of ${asker}`;
      return failed(request.model, final("not_recorded", message));
    },
  };
  return { model, counts: () => ({ hits, misses, left }) };
};
