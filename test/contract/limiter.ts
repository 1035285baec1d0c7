import { describe, expect, it, onTestFinished } from "vitest";
import type { KeyLimits, Limiter } from "../../src/model/limits/rate-limit.ts";
import { settled } from "../model/manual-time.ts";

/** Limits that are not reached, unless a test sets others. */
const LIMITS: KeyLimits = { requestsPerMinute: 600, tokensPerMinute: 1_000_000, concurrency: 100 };
const NEVER = new AbortController().signal;

export type LimiterUnderTest = {
  /** Opens a limiter of a key that no other test uses. */
  readonly open: (
    limits: KeyLimits,
  ) => Promise<{ readonly limiter: Limiter; readonly close: () => Promise<void> }>;
};

/** What the limits of a key promise, for one process and for several. */
export const limiterContract = (name: string, { open }: LimiterUnderTest): void => {
  const opened = async (limits: Partial<KeyLimits> = {}) => {
    const { limiter, close } = await open({ ...LIMITS, ...limits });
    onTestFinished(close);
    const entered: string[] = [];
    const enter = async (who: string, { tokens = 100, signal = NEVER } = {}) => {
      const admission = await limiter.enter(tokens, signal);
      if (admission !== "left") entered.push(who);
      return admission;
    };
    return { enter, entered };
  };

  const leave = async (call: Promise<"left" | { leave(used: number): void }>): Promise<void> => {
    const admission = await call;
    expect(admission).not.toBe("left");
    if (admission !== "left") admission.leave(10);
  };

  describe(name, () => {
    it("admits calls in order of arrival", async () => {
      const { enter, entered } = await opened({ concurrency: 1 });
      const calls = ["a", "b", "c"].map((who) => enter(who));
      for (const call of calls) await leave(call);
      expect(entered).toEqual(["a", "b", "c"]);
    });

    it("admits no more calls at once than its concurrency", async () => {
      const { enter, entered } = await opened({ concurrency: 2 });
      const [first, second, third] = [enter("a"), enter("b"), enter("c")];
      await Promise.all([first, second]);
      await settled();
      expect(entered).toEqual(["a", "b"]);
      await leave(first);
      await leave(third);
      expect(entered).toEqual(["a", "b", "c"]);
      await leave(second);
    });

    it("lets a waiting call leave at once, and later calls advance", async () => {
      const { enter, entered } = await opened({ concurrency: 1 });
      const abort = new AbortController();
      const first = enter("a");
      await first;
      const waiting = enter("b", { signal: abort.signal });
      const queued = enter("c", { signal: abort.signal });
      const last = enter("d");
      abort.abort();
      expect([await waiting, await queued]).toEqual(["left", "left"]);
      await leave(first);
      await leave(last);
      expect(entered).toEqual(["a", "d"]);
    });

    it("admits no call whose signal has aborted", async () => {
      const { enter } = await opened();
      expect(await enter("a", { signal: AbortSignal.abort() })).toBe("left");
    });

    it("gives what calls reserved and did not use to the next ones", async () => {
      const { enter } = await opened({ tokensPerMinute: 100_000, requestsPerMinute: null });
      // Together they reserve more than the limit.
      for (let n = 0; n < 120; n += 1) await leave(enter("a", { tokens: 1_000 }));
    });

    it("limits only the calls at once, if it has no limits per minute", async () => {
      const { enter } = await opened({ requestsPerMinute: null, tokensPerMinute: null });
      for (let n = 0; n < 20; n += 1) await leave(enter("a"));
    });
  });
};
