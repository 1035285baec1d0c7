import { cancelled, failed, final } from "./failure.ts";
import type { Model, ModelReply } from "./model.ts";
import { type RecordedCall, recordedRequest, requestKey } from "./recorded-call.ts";

export type ReplayCounts = {
  readonly hits: number;
  readonly misses: number;
  /** Recorded replies that nobody has asked for yet. */
  readonly left: number;
};

export type Replay = { readonly model: Model; counts(): ReplayCounts };

/**
 * Answers from recorded calls and from nothing else. Replies to equal requests are given in the
 * order in which they were recorded, each once.
 */
export const replaying = (calls: Iterable<RecordedCall>): Replay => {
  const replies = new Map<string, ModelReply[]>();
  let [hits, misses, left] = [0, 0, 0];
  for (const { key, reply } of calls) {
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
      const asker = request.agent ?? "the run";
      const message = `no reply is recorded for this "${request.purpose}" call of ${asker}`;
      return failed(request.model, final("not_recorded", message));
    },
  };
  return { model, counts: () => ({ hits, misses, left }) };
};
