import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { eventsOf, type Seen } from "../attack/arena.ts";
import { emptyFolder, makeRun, sim } from "../support/sim.ts";

const folder = emptyFolder();

let events: readonly Seen[] = [];

const fieldsOf = (seen: Seen): Record<string, unknown> =>
  z.record(z.string(), z.unknown()).catch({}).parse(seen.fields);

beforeAll(() => {
  makeRun(folder, { name: "long", seconds: 300 });
  events = eventsOf(folder, "long");
});

/** From the look that decides on a price to the moment it is set, at most. */
const THINKING_MS = 1_000;

/** Every price that was set, with the one before it and the sales since that was decided on. */
const repricings = () => {
  const prices = new Map<unknown, { readonly price: number; readonly atMs: number }>();
  const sales = new Map<unknown, number[]>();
  const found: { readonly id: unknown; from: number; to: number; sold: number }[] = [];
  for (const seen of events) {
    const id = seen.artifact_id;
    const atMs = Number(seen.at_ms);
    if (seen.kind === "artifact_invoked" && seen.paid_to !== null) {
      sales.set(id, [...(sales.get(id) ?? []), atMs]);
    }
    const { price } = fieldsOf(seen);
    if (seen.kind !== "artifact_written" || typeof price !== "number") continue;
    const before = prices.get(id);
    if (before !== undefined) {
      const since = before.atMs - THINKING_MS;
      const sold = (sales.get(id) ?? []).filter((each) => each > since).length;
      found.push({ id, from: before.price, to: price, sold });
    }
    prices.set(id, { price, atMs });
  }
  return found;
};

describe("five minutes of the shipped population", () => {
  it("raises prices only after sales, and lowers some", () => {
    const own = repricings().filter(({ id }) => !String(id).startsWith("zed_"));
    const raised = own.filter(({ from, to }) => to > from);
    const lowered = own.filter(({ from, to }) => to < from);
    expect(raised.length).toBeGreaterThan(0);
    expect(lowered.length).toBeGreaterThan(0);
    for (const { sold } of raised) expect(sold).toBeGreaterThan(0);
  });

  it("uses programs and deletes those that no longer sell", () => {
    const soldAt = new Map<unknown, number>();
    let withdrawn = 0;
    for (const seen of events) {
      const isSale = seen.kind === "artifact_invoked" && seen.paid_to !== null;
      // An owner may call another agent's program that calls its own. That shows no demand.
      if (isSale && seen.paid_to !== seen.principal)
        soldAt.set(seen.artifact_id, Number(seen.at_ms));
      if (seen.kind !== "artifact_deleted") continue;
      withdrawn += 1;
      expect(Number(seen.at_ms) - (soldAt.get(seen.artifact_id) ?? 0)).toBeGreaterThan(8_000);
    }
    expect(withdrawn).toBeGreaterThan(0);
    expect(soldAt.size).toBeGreaterThan(20);
  });

  it("has programs that pay programs of other agents", () => {
    const nested = events.filter(
      (seen) => seen.kind === "artifact_invoked" && Number(seen.depth) > 0 && seen.paid_to !== null,
    );
    expect(nested.length).toBeGreaterThan(0);
  });

  it("has agents that pay to read artifacts", () => {
    const read = events.filter((seen) => seen.kind === "artifact_read" && Number(seen.price) > 0);
    expect(read.length).toBeGreaterThan(0);
  });

  it("spreads wealth unevenly and conserves scrip", () => {
    const state = z
      .object({
        accounts: z.record(z.string(), z.object({ scrip: z.number(), held: z.number() })),
        undistributed: z.number(),
      })
      .parse(JSON.parse(sim(folder, "state", "long", "--json").out));
    const wealth = Object.values(state.accounts).map(({ scrip, held }) => scrip + held);
    expect(Math.max(...wealth)).toBeGreaterThan(2 * Math.min(...wealth));
    const sumOf = (field: string, isOne: (seen: Seen) => boolean): number =>
      events.filter(isOne).reduce((sum, seen) => sum + Number(seen[field]), 0);
    const endowed = sumOf("scrip", ({ kind }) => kind === "principal_created");
    const minted = sumOf("amount", ({ kind }) => kind === "scrip_minted");
    const burned =
      sumOf("amount", ({ kind }) => kind === "scrip_burned") +
      sumOf("amount", ({ kind, to }) => kind === "hold_spent" && to === null);
    expect(minted).toBeGreaterThan(0);
    const all = wealth.reduce((sum, scrip) => sum + scrip, state.undistributed);
    expect(all).toBe(endowed + minted - burned);
  });
});
