import { describe, expect, it } from "vitest";
import { policyGuides } from "../../src/mind/index.ts";
import { eventsOf } from "../attack/arena.ts";
import { emptyFolder, sim } from "../support/sim.ts";

const MINDS = policyGuides().map(({ mind }) => mind);

/** A folder with two new personas of every policy, as `sim agents new` writes them. */
const population = (): string => {
  const folder = emptyFolder();
  for (const [n, mind] of [...MINDS, ...MINDS].entries()) {
    const made = sim(folder, "agents", "new", `agent${n}`, "--mind", mind);
    expect(made.code).toBe(0);
  }
  return folder;
};

describe("new personas of every policy", () => {
  const folder = population();
  const run = (name: string, ...enabled: readonly string[]) => {
    const flags = ["--clock", "virtual", "--duration", "120", "--name", name, "--quiet"];
    const set = ["--set", `genesis.enabled=[${enabled.join(", ")}]`];
    const said = sim(folder, "run", ...flags, ...(enabled.includes("all") ? [] : set));
    expect(said).toMatchObject({ code: 0, err: "" });
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
    expect(new Set(actors.map(({ principal }) => principal)).size).toBe(2 * MINDS.length);
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
    for (const asked of asksFor(events)) expect(there).toContain(asked);
    const strange = events.filter(({ message }) =>
      /does not exist in this world/.test(String(message)),
    );
    expect(strange).toEqual([]);
  });
});
