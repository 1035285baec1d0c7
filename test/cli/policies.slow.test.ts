import { describe, expect, it } from "vitest";
import { policyGuides } from "../../src/policy/index.ts";
import { eventsOf } from "../attack/arena.ts";
import { emptyFolder, makeRun, setFlags, sim } from "../support/sim.ts";

const MINDS = policyGuides().map(({ mind }) => mind);
/** It rests until its persona names a market and units to trade. */
const RESTING = "policy/zero_intelligence_trader";

/** A folder with two new personas of every policy, as `sim agents new` writes them. */
const population = (): string => {
  const folder = emptyFolder();
  for (const [n, mind] of [...MINDS, ...MINDS].entries()) {
    expect(sim(folder, "agents", "new", `agent${n}`, "--mind", mind).code).toBe(0);
  }
  return folder;
};

describe("new personas of every policy", () => {
  const folder = population();
  const run = (name: string, ...enabled: readonly string[]) => {
    const isWhole = enabled.includes("all");
    const set = isWhole ? [] : setFlags(`genesis.enabled=[${enabled.join(", ")}]`);
    makeRun(folder, { name, seconds: isWhole ? 120 : 40 }, ...set);
    return eventsOf(folder, name);
  };
  const asksFor = (events: ReturnType<typeof run>): ReadonlySet<unknown> =>
    new Set(
      events
        .filter(({ kind }) => kind === "action_completed" || kind === "action_refused")
        .map(({ target }) => String(target))
        .filter((target) => target.startsWith("genesis_")),
    );

  it("act and call every part of genesis that they can use", () => {
    const events = run("whole", "all");
    const actors = events.filter(({ kind }) => kind === "action_completed");
    expect(MINDS).toContain(RESTING);
    const acting = [...MINDS, ...MINDS].flatMap((mind, n) =>
      mind === RESTING ? [] : [`agent${n}`],
    );
    expect(new Set(actors.map(({ principal }) => principal))).toEqual(new Set(acting));
    const asked = asksFor(events);
    for (const part of ["ledger", "store", "escrow", "debt_contract", "voting", "board"]) {
      expect(asked).toContain(`genesis_${part}`);
    }
  });

  it.each([
    { parts: [] },
    { parts: ["ledger"] },
    { parts: ["ledger", "store", "mint"] },
    { parts: ["voting", "board"] },
  ])("call only $parts if genesis has only these parts", ({ parts }) => {
    const events = run(`only-${parts.join("-")}0`, ...parts);
    const there = new Set(parts.map((part) => `genesis_${part}`));
    expect(events.filter(({ kind }) => kind === "action_completed")).not.toEqual([]);
    for (const asked of asksFor(events)) expect(there).toContain(asked);
    const messages = events.map(({ message }) => String(message));
    expect(messages.filter((text) => text.includes("does not exist in this world"))).toEqual([]);
  });
});
