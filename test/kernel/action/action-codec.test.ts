import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asId, describeAction, parseAction, parsePermit } from "../../../src/kernel/index.ts";
import { PHYSICS } from "../../support/physics.ts";

const parsed = (raw: unknown) => parseAction(raw, PHYSICS.artifacts.json_depth_max);

const deep = (depth: number): unknown => (depth === 0 ? 0 : [deep(depth - 1)]);

const READ = { artifact_id: "x" };
const WRITE = { ...READ, content: "c", price: 0 };
const REMOVE = { ...READ, code: null, interface: null };
const FREE = { attach: { scrip: 0, artifacts: [] } };
const ATTACHED = { attach: { scrip: 3, artifacts: ["y"] } };
/** Text cannot be made of it. */
const UNPRINTABLE = { toString: 1, valueOf: 1 };
const INVOKE = { artifact_id: "x", method: "go", args: [1], max_price: 5 };

describe("an action", () => {
  it.each<readonly [string, unknown, unknown]>([
    ["a noop", { noop: {} }, { kind: "noop" }],
    ["a noop with any content", { noop: null }, { kind: "noop" }],
    ["a read", { read_artifact: READ }, { kind: "read_artifact", ...READ, max_price: null }],
    ["a read with its kind", { kind: "read_artifact", ...READ, max_price: 0 }, { max_price: 0 }],
    ["a read with its action_type", { action_type: "read_artifact", ...READ }, READ],
    ["an invocation", { invoke_artifact: INVOKE }, { kind: "invoke_artifact", ...INVOKE, ...FREE }],
    ["an invocation of run", { invoke_artifact: READ }, { method: "run", args: [] }],
    ["an invocation with attachments", { invoke_artifact: { ...READ, ...ATTACHED } }, ATTACHED],
    ["a write", { write_artifact: WRITE }, { kind: "write_artifact", request: WRITE }],
    ["a write that removes code", { write_artifact: REMOVE }, { request: REMOVE }],
  ])("may be %s", (_, raw, meant) => {
    expect(parsed(raw)).toMatchObject({ kind: "accepted", answer: meant });
  });

  it.each<readonly [string, unknown, string, RegExp]>([
    ["is null", null, "invalid_argument", /an action must be an object/],
    ["is text", "noop", "invalid_argument", /an action must be an object/],
    ["is a list", [{ noop: {} }], "invalid_argument", /an action must be an object/],
    ["is empty", {}, "invalid_type", /is not an action; choose one of: noop/],
    ["names two kinds", { noop: {}, read_artifact: READ }, "invalid_type", /is not an action/],
    ["names an unknown kind", { transfer: {} }, "invalid_type", /"transfer" is not an action/],
    ["names a number as its kind", { kind: 5 }, "invalid_type", /^5 is not an action/],
    ["names an object as its kind", { kind: UNPRINTABLE }, "invalid_type", /is not an action/],
    ["names null as its kind", { kind: null }, "invalid_type", /"kind" is not an action/],
    ["is nested too deeply", { noop: deep(33) }, "invalid_argument", /nested too deeply/],
    ["holds what is not JSON", { noop: Number.NaN }, "invalid_argument", /finite/],
    ["holds half a character", { noop: "\ud800" }, "invalid_argument", /surrogate/],
    ["holds NUL", { noop: { a: "\u0000" } }, "invalid_argument", /NUL/],
    ["holds a prototype", JSON.parse('{"noop":{"__proto__":1}}'), "invalid_argument", /__proto__/],
  ])("is refused when it %s", (_, raw, code, words) => {
    const decision = parsed(raw);
    expect(decision).toMatchObject({ kind: "refused", refusal: { code } });
    expect(decision.kind === "refused" && decision.refusal.message).toMatch(words);
  });
});

type Invalid = readonly [field: string, value: unknown, words: RegExp];

/** Invalid values of each field. */
const INVALID: { readonly [kind: string]: readonly Invalid[] } = {
  read_artifact: [
    ["artifact_id", "", /artifact_id "" is not an id/],
    ["artifact_id", 5, /artifact_id 5 is not an id/],
    ["artifact_id", null, /artifact_id null is not an id/],
    ["max_price", -1, /max_price must be/],
    ["max_price", 1.5, /max_price must be/],
    ["max_price", "5", /max_price must be/],
    ["max_price", 2 ** 53, /max_price must be/],
    ["max_price", -0, /max_price must be/],
  ],
  invoke_artifact: [
    ["artifact_id", "a b", /is not an id/],
    ["max_price", -1, /max_price must be/],
    ["method", 5, /method must be/],
    ["method", "m".repeat(65), /method must be/],
    ["args", { 0: 1 }, /args must be a list/],
    ["args", "x", /args must be a list/],
    ["args", null, /args must be a list/],
    ["attach", 5, /attach must be {/],
    ["attach", [], /attach must be {/],
    ["attach", { scrip: 0, money: 5 }, /"money" is unknown/],
    ["attach", { scrip: -1 }, /attach.scrip must be a whole number/],
    ["attach", { scrip: 0.5 }, /attach.scrip must be a whole number/],
    ["attach", { scrip: -0 }, /attach.scrip must be a whole number/],
    ["attach", { scrip: "5" }, /attach.scrip must be a whole number/],
    ["attach", { scrip: 2 ** 53 }, /attach.scrip must be a whole number/],
    ["attach", { scrip: null }, /attach.scrip must be a whole number/],
    ["attach", { artifacts: "x" }, /attach must be {/],
    ["attach", { artifacts: ["a b"] }, /list of ids, each only once/],
    ["attach", { artifacts: ["y", "y"] }, /list of ids, each only once/],
    ["attach", { artifacts: [null] }, /list of ids, each only once/],
  ],
  write_artifact: [
    ["artifact_id", "_x", /is not an id/],
    ["artifact_type", 5, /artifact_type must be a string/],
    ["artifact_type", null, /artifact_type must be a string/],
    ["content", { a: 1 }, /content must be a string; pass JSON as text/],
    ["content", null, /content must be a string/],
    ["code", 5, /code must be JavaScript text/],
    ["price", -1, /price must be/],
    ["price", 0.1, /price must be/],
    ["price", -0, /price must be/],
    ["price", "5", /price must be/],
    ["price", 2 ** 53, /price must be/],
    ["price", null, /price must be/],
    ["read_price", -1, /read_price must be/],
    ["read_price", 2 ** 53, /read_price must be/],
    ["access", "a b", /access must be/],
    ["access", null, /access must be/],
    ["access_locked", false, /access_locked must be true/],
    ["access_locked", 1, /access_locked must be true/],
    ["interface", "x", /interface must be an object/],
    ["interface", [], /interface must be an object/],
    ["depends_on", "x", /depends_on must be a list/],
    ["depends_on", ["a b"], /depends_on must be a list of ids/],
    ["metadata", null, /metadata must be an object/],
    ["metadata", [], /metadata must be an object/],
    ["has_standing", false, /has_standing must be true/],
    ["has_standing", "true", /has_standing must be true/],
  ],
};

const cases = Object.entries(INVALID).flatMap(([kind, fields]) =>
  fields.map(([field, value, words]) => [kind, field, value, words] as const),
);

describe("an action with one invalid field", () => {
  it.each(cases)(
    "%s: %s = %j is refused with the name of the field",
    (kind, field, value, words) => {
      const decision = parsed({ [kind]: { artifact_id: "x", [field]: value } });
      expect(decision).toMatchObject({ kind: "refused", refusal: { code: "invalid_argument" } });
      expect(decision.kind === "refused" && decision.refusal.message).toMatch(words);
    },
  );

  it.each(["read_artifact", "write_artifact", "invoke_artifact"])(
    "%s is refused without an artifact_id",
    (kind) => {
      const refusal = { code: "missing_argument" };
      expect(parsed({ [kind]: {} })).toMatchObject({ kind: "refused", refusal });
      expect(parsed({ [kind]: [] })).toMatchObject({ kind: "refused", refusal });
    },
  );

  it("is refused with a short message, even if the value is long", () => {
    const decision = parsed({ read_artifact: { artifact_id: "😀".repeat(100_000) } });
    const message = decision.kind === "refused" ? decision.refusal.message : "";
    expect(message.length).toBeLessThanOrEqual(1_000);
    expect(message.isWellFormed()).toBe(true);
  });
});

describe("any input", () => {
  const kind = fc.constantFrom(
    "noop",
    "read_artifact",
    "write_artifact",
    "invoke_artifact",
    "kind",
  );
  const field = fc.constantFrom(
    ...["artifact_id", "content", "code", "args", "attach", "method", "max_price", "kind"],
    ...["toString", "valueOf", "constructor", "toJSON", "then", "length"],
  );
  const value = fc.jsonValue({ maxDepth: 3 });
  const fields = fc.dictionary(field, fc.oneof(value, fc.constant("x")), { maxKeys: 5 });
  const raw = fc.oneof(value, fields, fc.dictionary(kind, fc.oneof(fields, value), { maxKeys: 2 }));

  it("is accepted or refused, and can be named in a history", () => {
    fc.assert(
      fc.property(raw, (given) => {
        expect(["accepted", "refused"]).toContain(parsed(given).kind);
        const { action, target, method } = describeAction(given);
        expect(action).toMatch(/^(unknown|noop|read_artifact|write_artifact|invoke_artifact)$/);
        expect((target ?? "").length).toBeLessThanOrEqual(128);
        expect((method ?? "").length).toBeLessThanOrEqual(64);
      }),
      { numRuns: 500 },
    );
  });

  it("is named without text that cannot be stored", () => {
    const named = (artifact_id: unknown) =>
      describeAction({ read_artifact: { artifact_id } }).target;
    expect(named("a\u0000")).toBeNull();
    expect(named("\ud800")).toBeNull();
    expect(named(5)).toBeNull();
    expect(named(`${"x".repeat(127)}😀`)).toBe("x".repeat(127));
  });
});

const C = asId("door");
const TOLL = { allowed: true, cost: 5, payer: "a", recipient: "b" };
const DENIED = { contract: "door", allowed: false, cost: 0, payer: null, recipient: null };

describe("a contract's answer", () => {
  it.each<readonly [string, unknown, unknown]>([
    ["yes", { allowed: true }, { allowed: true, cost: 0, payer: null, recipient: null }],
    ["yes for a cost", TOLL, TOLL],
    ["yes with nulls", { allowed: true, cost: null, payer: null, recipient: null }, { cost: 0 }],
    ["yes with another contract", { allowed: true, contract: "other" }, { contract: "door" }],
  ])("may be %s", (_, answer, meant) => {
    expect(parsePermit(C, JSON.parse(JSON.stringify(answer)))).toMatchObject(meant as object);
  });

  it.each<readonly [string, unknown, RegExp]>([
    ["null", null, /did not return/],
    ["true", true, /did not return/],
    ["a list", [{ allowed: true }], /did not return/],
    ["text", "yes", /did not return/],
    ["an empty record", {}, /denied it/],
    ["no", { allowed: false }, /denied it/],
    ["no with a reason", { allowed: false, reason: "closed" }, /^closed$/],
    ["a number", { allowed: 1 }, /denied it/],
    ["text for yes", { allowed: "true" }, /denied it/],
    ["yes for a negative cost", { allowed: true, cost: -1 }, /whole number/],
    ["yes for a fraction", { allowed: true, cost: 0.5 }, /whole number/],
    ["yes for minus zero", { allowed: true, cost: -0 }, /whole number/],
    ["yes for a cost as text", { allowed: true, cost: "5" }, /whole number/],
    ["yes for an unsafe integer", { allowed: true, cost: 2 ** 53 }, /whole number/],
    ["yes with a list as payer", { allowed: true, payer: ["a"] }, /not an id/],
    ["yes with an empty payer", { allowed: true, payer: "" }, /not an id/],
    ["yes with an invalid recipient", { allowed: true, recipient: "a b" }, /not an id/],
    ["yes with a long recipient", { allowed: true, recipient: "x".repeat(9_999) }, /not an id/],
  ])("denies if it is %s", (_, answer, words) => {
    const permit = parsePermit(C, answer as never);
    expect(permit).toMatchObject(DENIED);
    expect(permit.reason).toMatch(words);
  });

  it("has its reason cut to 300 characters", () => {
    const { reason } = parsePermit(C, { allowed: false, reason: `${"x".repeat(299)}😀` });
    expect(reason).toBe("x".repeat(299));
  });
});
