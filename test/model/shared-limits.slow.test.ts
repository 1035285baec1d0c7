import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { TOKEN_SLACK } from "../../src/model/limits/shared-limiter.ts";
import { SharedLimits } from "../../src/model/limits/shared-limits.ts";
import { type LimitedCall, LimitedCallers } from "../support/limited-calls/limited-callers.ts";
import { canStartRedis, sharedRedis } from "../support/redis-server.ts";

const MINUTE_MS = 60_000;
const PROCESSES = 4;
const MINUTES = 4;
/** How much faster the time of the processes goes. */
const FACTOR = 10;
const KILL_S = 40;
const LIMITS = { requestsPerMinute: 140, tokensPerMinute: 150_000, concurrency: 20 };

type Span = readonly [fromMs: number, toMs: number, amount: number];

/**
 * The maximum in any minute, if a provider counts each amount somewhere in its span. The worst
 * minute begins at the end of a span.
 */
const mostIn = (spans: readonly Span[], windowMs: number): number => {
  const counted = (fromMs: number): number =>
    spans
      .filter(([from, to]) => to >= fromMs && from < fromMs + windowMs)
      .reduce((sum, [, , amount]) => sum + amount, 0);
  return Math.max(0, ...spans.map(([, to]) => counted(to)));
};

/** The most calls at one moment. */
const mostAtOnce = (calls: readonly LimitedCall[]): number =>
  Math.max(0, ...calls.map(({ startMs }) => running(calls, startMs)));

const running = (calls: readonly LimitedCall[], atMs: number): number =>
  calls.filter(({ startMs, endMs }) => startMs <= atMs && atMs < endMs).length;

const expectWithinLimits = (calls: readonly LimitedCall[]): void => {
  const requests = calls.map(({ startMs }): Span => [startMs, startMs, 1]);
  const tokens = calls.map(({ startMs, endMs, used }): Span => [startMs, endMs, used]);
  expect(mostIn(requests, MINUTE_MS)).toBeLessThanOrEqual(LIMITS.requestsPerMinute);
  const tokensMax = LIMITS.tokensPerMinute * (1 + TOKEN_SLACK);
  expect(mostIn(tokens, MINUTE_MS)).toBeLessThanOrEqual(tokensMax);
  expect(mostAtOnce(calls)).toBeLessThanOrEqual(LIMITS.concurrency);
};

describe.skipIf(!canStartRedis)("limits that four processes share", () => {
  const redis = sharedRedis();

  /**
   * Lets processes call. Every `KILL_S` seconds one is killed and another one is started, and in the
   * middle Redis restarts.
   */
  const callsWithFaults = async () => {
    const callers = new LimitedCallers(
      {
        url: redis.url(),
        secret: "shared",
        limits: LIMITS,
        callMsMax: 20_000,
        callMsTypical: 15_000,
        agents: 12,
      },
      FACTOR,
    );
    onTestFinished(() => callers.killAll());
    for (let n = 0; n < PROCESSES; n += 1) callers.start();
    /** The calls before the restart. */
    let callsBefore = 0;
    const turns = Math.ceil((MINUTES * 60) / KILL_S);
    for (let n = 0; n < turns; n += 1) {
      await pause((KILL_S * 1_000) / FACTOR);
      await callers.killOldest();
      callers.start();
      if (n !== Math.floor(turns / 2)) continue;
      callsBefore = callers.calls.length;
      await redis.restart();
    }
    await callers.killAll();
    const { calls, notes } = callers;
    return { calls, notes, callsBefore };
  };

  it("admit a call above the limit of tokens, and let later calls wait for it", async () => {
    const parts = { address: { url: redis.url(), shown: "redis" }, callMsMax: 60_000 };
    const shared = new SharedLimits({ ...parts, note: () => {} });
    onTestFinished(() => shared.close());
    const limits = { requestsPerMinute: null, tokensPerMinute: 60_000, concurrency: null };
    const limiter = shared.limiterOf({ provider: "google", secret: "long" }, limits);
    const never = new AbortController().signal;
    const long = await limiter.enter(1_000_000, never);
    // More than flows in within the time of a test.
    if (long !== "left") long.leave(60_000_000);
    const abort = new AbortController();
    const next = limiter.enter(1, abort.signal);
    await pause(2_000);
    abort.abort();
    expect(await next).toBe("left");
  });

  it("hold in every minute of four, at ten times the speed, with kills and a restart", async () => {
    const { calls, notes, callsBefore } = await callsWithFaults();
    expectWithinLimits(calls);
    // The limits are used, and calls continue after the restart.
    expect(calls.length).toBeGreaterThan(LIMITS.requestsPerMinute * MINUTES * 0.3);
    expect(calls.length).toBeGreaterThan(callsBefore + LIMITS.requestsPerMinute * 0.3);
    expect(notes.join("")).toContain("lost the connection");
  });
});
