import { createHash } from "node:crypto";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { type KeyLimits, LocalLimiter } from "../../src/model/limits/rate-limit.ts";
import { SharedLimits } from "../../src/model/limits/shared-limits.ts";
import { realTime } from "../../src/model/port/time.ts";
import { limiterContract } from "../contract/limiter.ts";
import { canStartRedis, hasRedis, sharedRedis } from "../support/redis-server.ts";

const NEVER = new AbortController().signal;
const ONE_AT_ONCE: KeyLimits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: 1 };

limiterContract("limits of one process", {
  open: async (limits) => {
    return { limiter: new LocalLimiter(limits, realTime), close: async () => {} };
  },
});

describe.skipIf(!hasRedis)("limits at a Redis server", () => {
  const redis = sharedRedis();
  let keys = 0;
  const nextKey = (): string => {
    keys += 1;
    return `secret-${process.pid}-${keys}`;
  };

  /** The limits of one process, and what it notes. */
  const processOf = (callMsMax = 60_000) => {
    const notes: string[] = [];
    const address = { url: redis.url(), shown: "redis://test" };
    const limits = new SharedLimits({ address, callMsMax, note: (text) => notes.push(text) });
    onTestFinished(() => limits.close());
    const keyOf = (secret: string, own: KeyLimits) =>
      limits.limiterOf({ provider: "google", secret }, own);
    return { limits, keyOf, notes };
  };

  limiterContract("limits that processes share", {
    open: async (limits) => {
      const one = processOf();
      return { limiter: one.keyOf(nextKey(), limits), close: () => one.limits.close() };
    },
  });

  it("are shared by processes with the same key only", async () => {
    const [one, other] = [processOf(), processOf()];
    const secret = nextKey();
    const held = await one.keyOf(secret, ONE_AT_ONCE).enter(1, NEVER);
    const waiting = other.keyOf(secret, ONE_AT_ONCE).enter(1, NEVER);
    expect(await other.keyOf(nextKey(), ONE_AT_ONCE).enter(1, NEVER)).not.toBe("left");
    const first = await Promise.race([waiting, Promise.resolve("waits")]);
    expect(first).toBe("waits");
    if (held !== "left") held.leave(1);
    expect(await waiting).not.toBe("left");
  });

  it("free the places of a process that was killed", async () => {
    const secret = nextKey();
    const killed = processOf(1_000);
    await killed.keyOf(secret, ONE_AT_ONCE).enter(1, NEVER);
    await killed.limits.close();
    const other = processOf(1_000);
    expect(await other.keyOf(secret, ONE_AT_ONCE).enter(1, NEVER)).not.toBe("left");
  });

  it("are those of the process that came first, and a note says so", async () => {
    const secret = nextKey();
    const [one, other] = [processOf(), processOf()];
    const held = await one.keyOf(secret, ONE_AT_ONCE).enter(1, NEVER);
    const waiting = other.keyOf(secret, { ...ONE_AT_ONCE, concurrency: 5 }).enter(1, NEVER);
    await expect.poll(() => other.notes).toHaveLength(1);
    expect(other.notes[0]).toMatch(/^llm\.providers\.google: another process .* max_concurrency 1/);
    if (held !== "left") held.leave(1);
    expect(await waiting).not.toBe("left");
    expect(one.notes).toEqual([]);
  });

  it("store no key", async () => {
    const secret = nextKey();
    await processOf().keyOf(secret, ONE_AT_ONCE).enter(1, NEVER);
    const client = new Redis(redis.url());
    onTestFinished(() => client.disconnect());
    const hash = createHash("sha256").update(secret).digest("hex").slice(0, 24);
    const names = await client.keys("*");
    expect(names).toContain(`catallaxy:limit:google:${hash}`);
    expect(names.join()).not.toContain(secret);
  });

  it("continue if the server lost its state", async () => {
    const own = processOf();
    const limiter = own.keyOf(nextKey(), { ...ONE_AT_ONCE, requestsPerMinute: 6_000 });
    const held = await limiter.enter(1, NEVER);
    const client = new Redis(redis.url());
    onTestFinished(() => client.disconnect());
    await client.flushall();
    if (held !== "left") held.leave(1);
    for (let n = 0; n < 3; n += 1) {
      const next = await limiter.enter(1, NEVER);
      if (next !== "left") next.leave(1);
    }
    expect(own.notes).toEqual([]);
  });

  it.skipIf(!canStartRedis)("let calls wait while the server is away and forgets", async () => {
    const own = processOf();
    const limiter = own.keyOf(nextKey(), ONE_AT_ONCE);
    const held = await limiter.enter(1, NEVER);
    const early = limiter.enter(1, NEVER);
    const client = new Redis(redis.url());
    await client.flushall();
    client.disconnect();
    await redis.kill();
    await expect.poll(() => own.notes).toHaveLength(1);
    expect(own.notes[0]).toMatch(/^lost the connection to redis:\/\/test.*model calls wait/);
    const abort = new AbortController();
    const stopped = limiter.enter(1, abort.signal);
    const waiting = limiter.enter(1, NEVER);
    abort.abort();
    expect(await stopped).toBe("left");
    if (held !== "left") held.leave(1);
    await redis.restart();
    const first = await early;
    if (first !== "left") first.leave(1);
    expect(await waiting).not.toBe("left");
    expect(own.notes[1]).toBe("connected to redis://test again");
  });
});
