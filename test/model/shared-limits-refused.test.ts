import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { SharedLimits } from "../../src/model/limits/shared-limits.ts";
import { canStartRedis, sharedRedis } from "../support/redis-server.ts";

const SHOWN = "redis://test";

describe.skipIf(!canStartRedis)("shared limits at a Redis server that refuses commands", () => {
  const redis = sharedRedis();

  /** What limits note that use a user without these commands, until `isNoted`. */
  const notesWithout = async (command: string, isNoted: (notes: readonly string[]) => boolean) => {
    const admin = new Redis(redis.url());
    await admin.call("ACL", "SETUSER", "few", "reset", "on", ">pw", "~*", "&*", "+@all", command);
    await admin.quit();
    const notes: string[] = [];
    const url = redis.url().replace("redis://", "redis://few:pw@");
    const note = (text: string) => notes.push(text);
    const shared = new SharedLimits({ address: { url, shown: SHOWN }, callMsMax: 1_000, note });
    onTestFinished(() => shared.close());
    const own = { requestsPerMinute: null, tokensPerMinute: null, concurrency: 1 };
    const abort = new AbortController();
    const entered = shared.limiterOf({ provider: "google", secret: command }, own);
    const admission = entered.enter(1, abort.signal);
    await expect.poll(() => isNoted(notes)).toBe(true);
    abort.abort();
    return { notes, admission: await admission };
  };

  it("note the error for which model calls wait", async () => {
    const { notes, admission } = await notesWithout("-set", (all) => all.length > 0);
    expect(notes[0]).toMatch(/^redis:\/\/test: NOPERM .*; model calls wait$/);
    expect(admission).toBe("left");
  });

  it("do not say that clocks agree which they could not compare", async () => {
    const { notes } = await notesWithout("-time", (all) => all.length > 0);
    expect(notes[0]).toMatch(/^redis:\/\/test: the clocks are not compared: NOPERM/);
  });

  it("take their own limits if those in Redis cannot be read", async () => {
    const admin = new Redis(redis.url());
    const own = { requestsPerMinute: null, tokensPerMinute: null, concurrency: 1 };
    const notes: string[] = [];
    const open = () => {
      const address = { url: redis.url(), shown: SHOWN };
      const shared = new SharedLimits({ address, callMsMax: 1_000, note: (n) => notes.push(n) });
      onTestFinished(() => shared.close());
      return shared.limiterOf({ provider: "damaged", secret: "key" }, own);
    };
    const never = new AbortController().signal;
    const first = await open().enter(1, never);
    if (first !== "left") first.leave(1);
    const [name = ""] = await admin.keys("catallaxy:limit:damaged:*");
    await admin.set(name, '{"requestsPerMinute":"many","tokensPerMinute":[],"concurrency":{}}');
    await admin.quit();
    expect(await open().enter(1, never)).not.toBe("left");
    expect(notes.join()).toContain("max_concurrency 1");
  });
});
