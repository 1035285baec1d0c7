import fc from "fast-check";
import { expect, it } from "vitest";
import { NodeNames } from "../../../src/coding-agents/index.ts";
import type { AgentMoment, MomentType } from "../../../src/read/moments/agent-moment.ts";
import { titleOf } from "../../../src/read/moments/shown-moment.ts";

const TYPE: MomentType = "CONVERSATION";

const MOMENT: Omit<AgentMoment, "actor" | "seq"> = {
  ...{ at_ms: 0, type: TYPE, thought: null, action: "noop", target: null, method: null },
  ...{ problem: null, verb: "Working", space: "market", previous: null, things: [], money: [] },
  ...{ narratives: [], written: [], names: 0, hasTools: false },
};

const idOf = (actor: string, seq: number, prose: string): string =>
  titleOf({ ...MOMENT, actor, seq }, new NodeNames(), prose).id;

it("differs for any two moments of a run, even with the same text in the same second", () => {
  const moment = fc.record({
    actor: fc.constantFrom("ada", "a", "ada_1", "Ada"),
    seq: fc.integer({ min: 1, max: 2 ** 40 }),
    prose: fc.constantFrom("", "the same", "another"),
  });
  const run = fc.uniqueArray(moment, { selector: ({ seq }) => seq, minLength: 2, maxLength: 200 });
  fc.assert(
    fc.property(run, (moments) => {
      const ids = moments.map(({ actor, seq, prose }) => idOf(actor, seq, prose));
      expect(new Set(ids).size).toBe(moments.length);
    }),
  );
});

it("depends on the agent, the event and the text", () => {
  const ids = [idOf("ada", 9, "x"), idOf("bob", 9, "x"), idOf("ada", 10, "x"), idOf("ada", 9, "y")];
  expect(new Set(ids).size).toBe(4);
  expect(idOf("ada", 9, "x")).toBe(ids[0]);
});

it("has the terms that the text is most about, of the names that were known then", () => {
  const names = new NodeNames();
  for (const name of ["boole_wrap_2", "ada_outliers_1", "x", "an_unbelievably_long_name", "bob"]) {
    names.add(name);
  }
  const prose = "does boole_wrap_2 do what its example says?";
  const named = titleOf({ ...MOMENT, actor: "bob", seq: 1, names: 5 }, names, prose);
  expect(named.name).toMatch(/^Working_BooleWrap(_\w+)?$/);
  expect(named.name).not.toContain("Bob");
  const earlier = titleOf({ ...MOMENT, actor: "bob", seq: 1, names: 0 }, names, prose);
  expect(earlier.name).toBe("Working_Conversation");
  const short = titleOf({ ...MOMENT, actor: "bob", seq: 1, names: 5 }, names, "wrap it");
  expect(short.name).toBe("Working_Conversation");
});
