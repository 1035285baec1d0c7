import { describe, expect, it } from "vitest";
import { asId, type Event, type RefusalCode } from "../../../src/kernel/index.ts";
import { type HealthBounds, HealthMonitor } from "../../../src/run/health/health-watch.ts";
import { calls, mints } from "../../support/run-events.ts";

const BOUNDS: HealthBounds = {
  every_ms: 10_000,
  window_ms: 60_000,
  actions_min: 10,
  identical_share: 0.9,
  passive_share: 0.8,
  repeats: 3,
  growth_share: 0.5,
};

const END = {
  message: "so it was",
  charged: { scrip: 0, gas: 0, bytes: 0 },
  result: null,
  cut: false,
  next_at_ms: null,
} as const;

type Told = { readonly at: number; readonly who?: string; readonly target?: string };

const done = (action: string, { at, who = "ann", target = "shop" }: Told): Event => {
  const about = { at_ms: at, principal: asId(who), target, method: null };
  return { ...END, ...about, kind: "action_completed", action };
};

const refused = (code: RefusalCode, { at, who = "ann", target = "shop" }: Told): Event => {
  const about = { at_ms: at, principal: asId(who), target, method: "run" };
  const refusal = { action: "invoke_artifact", code, retriable: false };
  return { ...END, ...about, ...refusal, kind: "action_refused" };
};

const sold = (at: number): Event => calls("shop", { by: "ann", price: 3, to: "bob", at_ms: at });

/** Different things done to different things, one a second, a sale and a want among them. */
const lively = (from: number, to: number): readonly Event[] =>
  Array.from({ length: (to - from) / 1_000 }, (_, i) => {
    const at = from + i * 1_000;
    const action = i % 2 === 0 ? "write_artifact" : "invoke_artifact";
    return done(action, { at, target: `thing_${i % 7}` });
  }).concat([sold(from), refused("insufficient_funds", { at: to - 1_000 })]);

const alarmsAfter = (events: readonly Event[], nowMs: number) => {
  const monitor = new HealthMonitor(BOUNDS, 0);
  for (const event of events) monitor.note(event);
  return monitor.judge(nowMs, 1_000);
};

const ringing = (events: readonly Event[], nowMs = 60_000): readonly string[] =>
  alarmsAfter(events, nowMs).map(({ name }) => name);

const causeOf = (events: readonly Event[]): string => alarmsAfter(events, 60_000)[0]?.cause ?? "";

describe("the health of an economy", () => {
  it("is good if agents produce, sell and run short", () => {
    expect(ringing(lively(1_000, 60_000))).toEqual([]);
  });

  it("is not judged before one window has passed", () => {
    expect(ringing([], 59_999)).toEqual([]);
    expect(ringing([], 60_000)).toContain("no_trade");
  });

  it("has an alarm without trade, until the first sale", () => {
    const quiet = lively(1_000, 60_000).filter(({ kind }) => kind !== "artifact_invoked");
    expect(ringing(quiet)).toEqual(["no_trade"]);
    expect(causeOf(quiet)).toMatch(/in the last 60 s, in 60 actions/);
    expect(ringing([...quiet, sold(60_000)])).toEqual([]);
  });

  it("ignores events older than the window", () => {
    expect(ringing([sold(0), ...lively(1_000, 50_000).slice(0, -2)], 61_000)).toContain("no_trade");
  });

  it("has an alarm if all actions are the same", () => {
    const alike = Array.from({ length: 40 }, (_, i) =>
      done("invoke_artifact", { at: 20_000 + i, who: `agent_${i % 4}` }),
    );
    const all = [sold(20_000), refused("rate_limited", { at: 20_100 }), ...alike];
    expect(ringing(all)).toEqual(["identical_behaviour"]);
    expect(causeOf(all)).toMatch(/40 of 41 actions .* were "invoke_artifact shop"/);
  });

  it("has an alarm if nothing is scarce", () => {
    const plenty = lively(1_000, 60_000).filter(({ kind }) => kind !== "action_refused");
    expect(ringing(plenty)).toEqual(["no_scarcity"]);
    expect(ringing([...plenty, refused("not_found", { at: 59_000 })])).toEqual(["no_scarcity"]);
    expect(ringing([...plenty, refused("quota_exceeded", { at: 59_000 })])).toEqual([]);
  });

  it("has an alarm if agents only read", () => {
    const looks = Array.from({ length: 30 }, (_, i) =>
      done(i % 2 === 0 ? "read_artifact" : "noop", { at: 30_000 + i, target: `page_${i}` }),
    );
    const all = [sold(30_000), refused("rate_limited", { at: 30_100 }), ...looks];
    expect(ringing(all)).toEqual(["read_only"]);
  });

  it("has an alarm if an agent repeats a failing action", () => {
    const again = [1, 2, 3].map((n) => refused("not_found", { at: 59_000 + n, who: "eve" }));
    expect(ringing([...lively(1_000, 60_000), ...again])).toEqual(["repeated_failure"]);
    expect(causeOf([...lively(1_000, 60_000), ...again])).toBe(
      'eve failed 3 times in a row at "invoke_artifact shop run": not_found, so it was',
    );
    const broken = [...again.slice(0, 2), done("noop", { at: 59_003, who: "eve" })];
    expect(ringing([...lively(1_000, 60_000), ...broken, ...again.slice(2)])).toEqual([]);
  });

  it("has an alarm if too much scrip is minted", () => {
    expect(ringing([...lively(1_000, 60_000), mints("ann", 333, { at_ms: 50_000 })])).toEqual([]);
    expect(ringing([...lively(1_000, 60_000), mints("ann", 334, { at_ms: 50_000 })])).toEqual([
      "inflation",
    ]);
  });
});
