import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Reservoir,
  requestReservoir,
  TOKEN_SLACK,
  tokenReservoir,
} from "../../src/model/limits/shared-limiter.ts";

const MINUTE_MS = 60_000;

/** The most that flows in within a minute: the first step is due at its beginning. */
const flowMax = ({ step, stepMs }: Reservoir): number => Math.ceil(MINUTE_MS / stepMs) * step;

const limits = fc.oneof(fc.integer({ min: 2, max: 2_000 }), fc.integer({ min: 2, max: 1e9 }));

describe("a shared reservoir", () => {
  it("admits at most the limit of requests in a minute", () => {
    fc.assert(
      fc.property(limits, (limit) => {
        const reservoir = requestReservoir(limit);
        expect(reservoir.burst + flowMax(reservoir)).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it("admits at most the limit of tokens and its slack in a minute, with those in progress", () => {
    fc.assert(
      fc.property(limits, (limit) => {
        const reservoir = tokenReservoir(limit);
        const { burst, inProgressMax } = reservoir;
        const most = burst + (inProgressMax ?? 0) + flowMax(reservoir);
        // Each of the three parts is at least one token.
        expect(most).toBeLessThanOrEqual(limit * (1 + TOKEN_SLACK) + 2);
        expect(burst).toBeLessThanOrEqual(inProgressMax ?? 0);
      }),
    );
  });

  it("gives at least 85 % of a limit of requests, and 70 % of a limit of tokens", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 1e9 }), (limit) => {
        const perMinute = ({ step, stepMs }: Reservoir) => (step * MINUTE_MS) / stepMs;
        expect(perMinute(requestReservoir(limit))).toBeGreaterThan(limit * 0.85);
        expect(perMinute(tokenReservoir(limit))).toBeGreaterThan(limit * 0.7);
      }),
    );
  });

  it("flows in about one step at a time, and at least one unit", () => {
    expect(requestReservoir(60)).toMatchObject({ burst: 3, step: 1, stepMs: 1_112 });
    expect(requestReservoir(1)).toMatchObject({ burst: 1, step: 1, stepMs: 60_000 });
    expect(tokenReservoir(30_000)).toMatchObject({ burst: 2_911, inProgressMax: 7_500, step: 90 });
  });
});
