import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asId, isObject, type Json, type JsonObject } from "../../src/kernel/index.ts";
import type { TestWorld } from "../support/test-world.ts";
import { install, mechanismWorlds, totalScrip } from "./mechanism-world.ts";
import { STORIES } from "./stories.ts";

const newWorld = mechanismWorlds({ isAudited: false });
const AGENTS = ["alice", "bob", "carol"] as const;
/** The account of a program through which carol calls. */
const DEPUTY = "deputy";
const SCRIP = 1_000_000;

const CALL = `function call(id, method, args, scrip) {
  const { error, success } = kernel.invoke(id, method, args, { attach: { scrip } });
  return success ? null : error.code;
}`;

/** A value that a schema allows, as a caller would guess it who knows nothing else. */
const guess = (schema: JsonObject): fc.Arbitrary<Json> => {
  const { type, items, minimum = 0, maximum = 1_000_000 } = schema;
  if (type === "array") return fc.uniqueArray(isObject(items) ? guess(items) : fc.constant(1));
  if (type !== "integer") return fc.constantFrom(...AGENTS, DEPUTY, "it", "yes", "no");
  const [least, most] = [Number(minimum), Number(maximum)];
  const few = fc.integer({ min: least, max: Math.min(most, least + 12) });
  return fc.oneof({ arbitrary: few, weight: 5 }, fc.integer({ min: least, max: most }));
};

const methodsOf = (v: TestWorld) => v.state.artifacts.get(asId("it"))?.interface?.methods ?? [];

/** One call of any method, with arguments that fit its interface. */
const callsOf = (v: TestWorld) =>
  fc.oneof(
    ...methodsOf(v).map(({ name, input_schema: { properties } }) => {
      const schemas = Object.values(isObject(properties) ? properties : {});
      return fc.record({
        method: fc.constant(name),
        args: fc.tuple(...schemas.map((each) => guess(isObject(each) ? each : {}))),
        by: fc.constantFrom(...AGENTS),
        isThroughProgram: fc.boolean(),
        scrip: fc.constantFrom(0, 0, 0, 1, 12, 100, 10_000),
        isSale: fc.boolean(),
        afterMs: fc.constantFrom(0, 0, 500, 20_000, 600_000),
      });
    }),
  );

const worldOf = (name: string): TestWorld => {
  const { settings: told, others = {} } = STORIES.get(name) ?? { calls: [] };
  const values = Object.fromEntries(AGENTS.map((id) => [id, Array(12).fill(5)]));
  const settings = name === "induced-values" ? { ...told, values } : told;
  const v = newWorld(Object.fromEntries(AGENTS.map((id) => [id, SCRIP])));
  v.standing("carol", DEPUTY, { code: CALL, scrip: 10_000 });
  install(v, "it", name, settings);
  // It pays with scrip that it must have.
  if (name === "induced-values") v.must(v.calls("carol", "genesis_ledger.transfer", ["it", 500]));
  for (const [id, [file, given]] of Object.entries(others)) {
    const isStocked = file === "token" && !Object.hasOwn(given, "issuer");
    const initial = Object.fromEntries(AGENTS.map((who) => [who, 100_000]));
    install(v, id, file, isStocked ? { ...given, initial } : given);
    if (!isStocked) continue;
    for (const who of AGENTS) v.must(v.calls(who, `${id}.approve`, ["it", 50_000]));
  }
  return v;
};

describe.each([...STORIES.keys()])("%s", (name) => {
  it("keeps its books whatever callers do who know only its interface", () => {
    const v = worldOf(name);
    const scrip = totalScrip(v);
    const done = new Map<string, number>();
    let notes = 0;
    fc.assert(
      fc.property(fc.array(callsOf(v), { maxLength: 25 }), (calls) => {
        for (const { method, args, by, isThroughProgram, scrip: paid, isSale, afterMs } of calls) {
          v.atMs += afterMs;
          if (isThroughProgram) {
            v.must(v.calls("carol", `${DEPUTY}.call`, ["it", method, args, paid]));
            continue;
          }
          notes += 1;
          const note = `note_${notes}`;
          const isOpening = method === "open" && isSale;
          if (isOpening) v.writes(by, note, { content: "x" });
          const artifacts = isOpening ? [note] : [];
          const attach = { ...(paid > 0 ? { scrip: paid } : {}), artifacts };
          const outcome = v.calls(by, `it.${method}`, args, { attach });
          expect([method, args, outcome.error_code, outcome.message]).toEqual([
            method,
            args,
            expect.toBeOneOf([null, "rejected_by_artifact", "interface_mismatch"]),
            outcome.message,
          ]);
          if (outcome.success) done.set(method, (done.get(method) ?? 0) + 1);
        }
        expect(totalScrip(v)).toBe(scrip);
      }),
      { numRuns: 30 },
    );
    expect(done.size).toBeGreaterThanOrEqual(Math.min(4, methodsOf(v).length));
  });
});
