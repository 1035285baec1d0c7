import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Command } from "../../../src/kernel/index.ts";
import { calls, createsAgent, gives, setsPrice, writes } from "../../support/commands.ts";
import { at, failsScoring, posts, resolves, scores, solves } from "../../support/mint.ts";
import { NOW, physicsWith } from "../../support/physics.ts";
import { consumed, givenIn, program, type Scenario } from "../../support/scenario.ts";

const WHO = ["ann", "bob", "cyd"] as const;
const GOODS = WHO.flatMap((who) => [`${who}_1`, `${who}_2`]);

const physics = physicsWith({
  mint: { slots: 1, mint_ratio: 7, period_ms: 1_000, bidding_window_ms: 900, tasks_max: 20 },
});

const market = (): Scenario =>
  givenIn(
    physics,
    ...WHO.map((who) => createsAgent(who)),
    ...GOODS.map((id) => program(id, id.slice(0, 3))),
    consumed("ann", {}),
    consumed("bob", {}),
  );

const who = fc.constantFrom(...WHO);
const good = fc.constantFrom(...GOODS);
/** Few amounts, so that many bids are equal. */
const scrip = fc.constantFrom(1, 7, 20, 60);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("bid"), who, good, scrip }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("resolve") }) },
  fc.record({ do: fc.constant("sell"), good, to: who }),
  fc.record({ do: fc.constantFrom("rewrite", "reprice"), good }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("cancel", "score", "score", "fail"),
      nth: fc.nat(5),
      score: fc.integer({ min: 0, max: 100 }),
    }),
  },
  fc.record({ do: fc.constantFrom("post", "withdraw"), who, scrip }),
  fc.record({ do: fc.constant("solve"), who, good }),
  fc.record({ do: fc.constant("amend"), minimum: scrip, slots: fc.nat(3) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Only the resolution of an auction advances the time, to its close. */
const commandOf = ({ state }: Scenario, step: Step, now: number): Command => {
  const owner = (id: string) => [...state.artifacts.rows()].find((row) => row.id === id)?.owner;
  const open = [...state.submissions.rows()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const [task] = [...state.tasks.rows()];
  switch (step.do) {
    case "bid":
      return calls(at(step.who, now), "genesis_mint.bid", { args: [step.good], scrip: step.scrip });
    case "sell":
      return {
        ...gives(owner(step.good) ?? "ann", step.good, { to: step.to, callers: [step.to] }),
        by: at(owner(step.good) ?? "ann", now),
      } as Command;
    case "rewrite":
      return writes(at(owner(step.good) ?? "ann", now), step.good, { content: "new" });
    case "reprice":
      return setsPrice(at(owner(step.good) ?? "ann", now), step.good, 3);
    case "cancel": {
      const chosen = open[step.nth % Math.max(1, open.length)];
      const args = [chosen?.id ?? "none:1"];
      return calls(at(chosen?.bidder ?? "ann", now), "genesis_mint.cancel", { args });
    }
    case "score":
    case "fail": {
      const won = open.filter(({ stage }) => stage === "won");
      const id = won[step.nth % Math.max(1, won.length)]?.id ?? "none:1";
      return step.do === "fail"
        ? failsScoring(id, now)
        : scores(id, { score: step.score, atMs: now });
    }
    case "resolve":
      return resolves(0, now + physics.mint.period_ms);
    case "amend": {
      const mint = { ...physics.mint, minimum_bid: step.minimum, slots: step.slots };
      return { kind: "amend_physics", at_ms: now, physics: { ...physics, mint } };
    }
    case "post":
      return { ...posts(step.who, { scrip: step.scrip }), by: at(step.who, now) };
    case "withdraw":
      return calls(at(task?.poster ?? "ann", now), "genesis_mint.withdraw_task", {
        args: [task?.id ?? "none"],
      });
    case "solve":
      return {
        ...solves(step.who, [task?.id ?? "none", step.good], [5, 6, 0]),
        by: at(step.who, now),
      };
  }
};

const settle = (scene: Scenario, from: number): void => {
  let now = from;
  for (const { poster, id } of [...scene.state.tasks.rows()]) {
    scene.when(calls(at(poster ?? "", now), "genesis_mint.withdraw_task", { args: [id] }));
  }
  while (scene.state.submissions.size > 0) {
    now += physics.mint.period_ms;
    scene.when(resolves(0, now));
    for (const { id, stage } of [...scene.state.submissions.rows()]) {
      if (stage === "won") scene.when(scores(id, { atMs: now }));
    }
  }
};

describe("any sequence of bids, scores, tasks and sales", () => {
  it("keeps every invariant, and holds no scrip when everything is settled", () => {
    const kinds = new Map<string, number>();
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
        const scene = market();
        let now = NOW;
        for (const each of steps) {
          // `when` checks every invariant.
          const { decision } = scene.when(commandOf(scene, each, now));
          if (decision.kind !== "accepted") continue;
          if (each.do === "resolve") now += physics.mint.period_ms;
          for (const { kind } of decision.events) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        }
        settle(scene, now);
        expect(scene.state.holds.size).toBe(0);
        expect([...scene.state.accounts.rows()].map(({ held }) => held)).toEqual([0, 0, 0]);
      }),
      { numRuns: 60 },
    );
    for (const kind of [
      "bid_cancelled",
      "artifact_scored",
      "scoring_failed",
      "hold_split",
      "task_solved",
      "task_withdrawn",
      "random_drawn",
    ]) {
      expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(0);
    }
  });
});
