import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { canonical, isObject, jsonProblem, parseAction } from "../../../src/kernel/index.ts";
import { decisionReader, REPLY_FORMS, type Reply } from "../../../src/mind/index.ts";

const DEPTH = 32;
const SIMPLE = decisionReader("simple", DEPTH);
const OODA = decisionReader("ooda", DEPTH);

const answerTo = (text: unknown) =>
  SIMPLE.read(typeof text === "string" ? text : JSON.stringify(text));

const read = (text: unknown): Reply => {
  const answer = answerTo(text);
  if (!answer.ok) throw new Error(answer.problem);
  return answer.value;
};

const problemIn = (text: unknown): string => {
  const answer = answerTo(text);
  return answer.ok ? "" : answer.problem;
};

const CALL = { invoke_artifact: { artifact_id: "adder", args: [1, 2], max_price: 3 } };
const REPLY = JSON.stringify({ thought_process: "it adds", action: CALL });

describe("JSON in a reply", () => {
  it.each([
    ["alone", REPLY],
    ["in prose", `I think that I will call it. ${REPLY} That should do.`],
    ["in a fence", `Here it is:\n\`\`\`json\n${REPLY}\n\`\`\`\nDone.`],
    ["after braces that are none", `Given {a, b} and {"c": }, so: ${REPLY}`],
    ["with braces in its texts", REPLY.replace("it adds", 'it { adds } \\" }')],
    ["after a byte order mark and blanks", `\ufeff \n\t${REPLY}`],
    ["before more of the same", `${REPLY}\n{"thought_process": "or", "action": {"noop": {}}}`],
  ])("is found %s", (_where, text) => {
    expect(read(text).action).toEqual(CALL);
  });

  it("is the decision, even after another object", () => {
    expect(read(`The market says {"price": 3}. ${REPLY}`).action).toEqual(CALL);
  });

  it.each([
    ["", "the reply is empty"],
    [" \n ", "the reply is empty"],
    ["I would rather not say.", "contains no JSON object"],
    ["[1, 2]", "contains no JSON object"],
    ['{"thought_process": "cut off", "action": {"noop"', "contains no JSON object"],
    ['{"thought_process": "cut off", "action": {"noop": {}}', "contains no JSON object"],
    ["{{{{{{{{", "contains no JSON object"],
  ])("is missing in %j", (text, problem) => {
    expect(problemIn(text)).toContain(problem);
    expect(SIMPLE.read(text)).not.toHaveProperty("rejected");
  });

  it.each([
    '{"thought_process": "no action"}',
    '{"action": {"fly": {}}}',
    '{"action": {"read_artifact": {}}}',
    '{"action_type": "steal"}',
    '{"action": {"noop": {}}, "sleep": {"for_s": -1}}',
  ])("is there but rejected in %s", (text) => {
    expect(SIMPLE.read(text)).toMatchObject({ ok: false, rejected: true });
  });
});

describe("an action that is text", () => {
  it.each([
    [{ action: "noop" }, { noop: {} }],
    [{ action: " noop " }, { noop: {} }],
    [{ action: '{"noop": {}}' }, { noop: {} }],
    [{ action: "read_artifact", artifact_id: "note" }, { read_artifact: { artifact_id: "note" } }],
    [{ action: "invoke_artifact", ...CALL.invoke_artifact }, CALL],
  ])("is understood in %j", (reply, action) => {
    expect(read({ thought_process: "so", ...reply }).action).toEqual(action);
  });

  it.each([
    ["fly", /^"fly" is not an action; "action" is an object such as \{"noop": \{\}\}, for one of /],
    ["read_artifact", "action: artifact_id is missing"],
  ])("is refused with the right form: %s", (action, problem) => {
    expect(problemIn({ thought_process: "so", action })).toMatch(problem);
  });
});

const CALL_X = { action_type: "invoke_artifact", artifact_id: "x" };

/** The reply of a strict provider: every field, with null for unused ones. */
const FLAT = z.strictObject((REPLY_FORMS.simple.flat as z.ZodObject).shape);
const NULLS = Object.fromEntries(Object.keys(FLAT.shape).map((field) => [field, null]));
const flat = (fields: object): object => ({ ...NULLS, thought_process: "I thought.", ...fields });

describe("a reply in the flat form", () => {
  it("means to do nothing with the action noop", () => {
    const given = flat({ action_type: "noop" });
    expect(FLAT.safeParse(given).error).toBeUndefined();
    expect(read(given).action).toEqual({ noop: {} });
  });

  const RUN = { name: "run", description: "adds" };
  const ADDS = {
    description: "adds",
    methods: [
      { ...RUN, input_schema: { type: "object" }, examples: [{ args: [1], result: null }] },
    ],
  };
  const FLAT_METHOD = {
    ...RUN,
    input_schema_json: '{"type": "object"}',
    output_schema_json: null,
    examples: [{ args_json: "[1]", result_json: "null" }],
  };
  const FLAT_ADDS = { description: "adds", methods: [FLAT_METHOD] };
  const PRICED = { artifact_type: "x", price: 2 };
  const BUYING = { method: "buy", args: ["ore", 2] };
  const ATTACHED = { scrip: 5, artifacts: ["basket"] };
  it.each([
    ["read_artifact", { max_price: 0 }, { max_price: 0 }],
    ["write_artifact", { code: "x" }, { code: "x" }],
    ["write_artifact", { interface: FLAT_ADDS }, { interface: ADDS }],
    ["write_artifact", { artifact_type: "x", price: 2, has_standing: false }, PRICED],
    ["invoke_artifact", { method: "buy", args_json: '["ore", 2]' }, BUYING],
    ["invoke_artifact", { attach_scrip: 5, attach_artifacts: ["basket"] }, { attach: ATTACHED }],
  ])("means the action %s with %j", (action_type, fields, action) => {
    const given = flat({ action_type, artifact_id: "note", ...fields });
    expect(FLAT.safeParse(given).error).toBeUndefined();
    expect(read(given).action).toEqual({ [action_type]: { artifact_id: "note", ...action } });
  });

  it.each([
    [{ args_json: '["ore", 2]', method: "buy" }, BUYING],
    [{ attach_scrip: 5, attach_artifacts: ["basket"], args_json: null }, { attach: ATTACHED }],
  ])("can be inside action, with its sleep next to it or inside: %j", (fields, meant) => {
    const inside = { ...CALL_X, ...fields };
    const action = { invoke_artifact: { artifact_id: "x", ...meant } };
    for (const given of [inside, JSON.stringify(inside)]) {
      const next = read({ thought_process: "so", action: given, sleep: { for_s: 2 } });
      expect(next).toMatchObject({ reasoning: "so", action, sleep: { for_ms: 2_000 } });
    }
    const sleeping = { action: { ...inside, sleep_for_s: 3, sleep_until: null } };
    expect(read(sleeping)).toMatchObject({ action, sleep: { for_ms: 3_000 } });
  });

  it("leaves out fields of other actions", () => {
    const given = flat({ action_type: "read_artifact", artifact_id: "x", code: "x", price: 3 });
    expect(read(given).action).toEqual({ read_artifact: { artifact_id: "x" } });
  });

  it("may sleep", () => {
    const unset = { event: null, scrip_at_least: null, llm_budget_at_least: null };
    const until = [
      { ...unset, event: "artifact_invoked", resource: null, available: null },
      { ...unset, resource: "actions", available: 3 },
    ];
    const given = flat({ action_type: "noop", sleep_for_s: 2.5, sleep_until: until });
    expect(FLAT.safeParse(given).error).toBeUndefined();
    expect(read(given).sleep).toEqual({
      for_ms: 2_500,
      until: [{ event: "artifact_invoked" }, { resource: "actions", available: 3 }],
    });
    expect(read(flat({ action_type: "noop", sleep_for_s: 2, sleep_until: null })).sleep).toEqual({
      for_ms: 2_000,
      until: [],
    });
    expect(read(flat({ action_type: "noop", sleep_for_s: 0 })).sleep).toBeNull();
  });

  it.each([
    [{ action_type: "steal" }, 'action_type "steal" is not one of noop, read_artifact'],
    [{ action_type: "constructor" }, 'action_type "constructor" is not one of noop'],
    [{ action_type: "__proto__" }, 'action_type "__proto__" is not one of noop'],
    [{ ...CALL_X, args_json: "1, 2" }, "args_json is not JSON text: 1, 2"],
    [{ action: { ...CALL_X, args_json: "1, 2" } }, "args_json is not JSON text: 1, 2"],
    [{ action_type: "read_artifact" }, "artifact_id is missing"],
  ])("is refused with its problem: %j", (fields, problem) => {
    expect(problemIn(flat(fields))).toContain(problem);
  });
});

describe("the other fields of a reply", () => {
  const READ = { artifact_id: "x" };
  it.each([
    { read_artifact: { ...READ, reasoning: "I wonder.", thought: "Hm." } },
    { read_artifact: { ...READ, args: [], code: null, content: "", metadata: {} } },
    { read_artifact: READ, reasoning: "I wonder." },
    { kind: "read_artifact", ...READ, reason: "I wonder." },
    { action_type: "read_artifact", ...READ },
  ])("in an action can be comments and empty, and are dropped: %j", (action) => {
    const reply = { thought_process: "I read.", confidence: 0.7, action };
    expect(read(reply).action).toEqual({ read_artifact: READ });
  });

  it("can be comments in the flat form", () => {
    const given = { ...CALL_X, reasoning: "I call.", sleep: { for_s: 2 } };
    expect(read(given)).toMatchObject({
      action: { invoke_artifact: { artifact_id: "x" } },
      sleep: { for_ms: 2_000 },
    });
  });

  it("are the thought in the simple schema, and the rationale in OODA", () => {
    const ooda = { situation_assessment: "much", action_rationale: "because" };
    const given = { thought_process: "simple", ...ooda, action: { noop: {} } };
    expect(read(given).reasoning).toBe("simple");
    const value = { reasoning: "because", assessment: "much" };
    expect(OODA.read(JSON.stringify(given))).toMatchObject({ ok: true, value });
  });

  it("can be missing or of another type", () => {
    expect(read({ action: { noop: {} } }).reasoning).toBe("");
    expect(read({ thought_process: ["a", "b"], action: { noop: {} } }).reasoning).toBe("");
  });

  const RICH = { scrip_at_least: 5 };
  it.each([
    [{ for_s: 30 }, { for_ms: 30_000, until: [] }],
    [
      { for_s: 1, until: [RICH] },
      { for_ms: 1_000, until: [RICH] },
    ],
    [null, null],
  ])("can be a sleep: %j", (sleep, slept) => {
    expect(read({ action: { noop: {} }, sleep }).sleep).toEqual(slept);
  });

  it.each([
    [{ for_s: -1 }, "sleep.for_s"],
    [{ for_s: "long" }, "sleep.for_s"],
    [{ until: [{ event: "artifact_invoked" }] }, "sleep"],
    [{ for_s: 1, until: [{ event: "doomsday" }] }, "sleep.until.0.event"],
    ["a while", "sleep"],
  ])("cannot be an invalid sleep: %j", (sleep, problem) => {
    expect(problemIn({ action: { noop: {} }, sleep })).toContain(problem);
  });
});

describe("a reply that cannot be used", () => {
  it.each([
    [{ thought_process: "hm" }, 'the reply has no "action"'],
    [{ action: 5 }, 'the reply has no "action"'],
    [{ action: {} }, "is not an action"],
    [{ action: { noop: {}, read_artifact: {} } }, "noop and read_artifact; choose one action"],
    [{ action: { fly: {} } }, '"fly" is not an action; choose one of: noop'],
    [{ action: { write_artifact: { artifact_id: "x", price: "2" } } }, "action: price"],
    [{ action: { read_artifact: { artifact_id: "a b" } } }, '"a b" is not an id'],
  ])("gives the problem with %j", (given, problem) => {
    expect(problemIn(given)).toContain(problem);
  });

  const FIELDS = "its fields are artifact_id, method, args, attach, max_price";
  it.each([
    [
      { invoke_artifact: { artifact_id: "x", arguments: [1] } },
      `has no field "arguments"; ${FIELDS}`,
    ],
    [
      { invoke_artifact: { id: "x" } },
      'no field "id" (did you mean `artifact_id`?); its fields are',
    ],
    [
      { invoke_artifact: { artifact_id: "x", args_json: "[1]" } },
      'no field "args_json" (write `args`, not as text); its fields are',
    ],
    [{ invoke_artifact: { artifact_id: "x", price: 2 } }, '"price" (did you mean `max_price`?)'],
    [
      { kind: "read_artifact", artifact_id: "x", version: 2 },
      'read_artifact has no field "version"',
    ],
    [{ noop: { for_s: 10 } }, 'no field "for_s"; it has no fields, and sleep goes next to action'],
    [{ noop: {}, sleep: { for_s: 10 } }, '"sleep" is next to noop; fields go into noop, and sleep'],
    [
      { write_artifact: { artifact_id: "x" }, price: 2 },
      '"price" is next to write_artifact; fields',
    ],
  ])("names a field that its action does not have: %j", (action, problem) => {
    expect(problemIn({ action })).toMatch(/^action: /);
    expect(problemIn({ action })).toContain(problem);
  });

  it("names unknown fields of the flat form, and fields next to the action", () => {
    const misnamed = { ...CALL_X, arguments_json: "[1]", arg: 2 };
    expect(problemIn(misnamed)).toContain('no field "arguments", "arg" (did you mean `args`?)');
    const outside = { action: { invoke_artifact: { artifact_id: "x" } }, args: [1] };
    expect(problemIn(outside)).toBe('"args" is next to action; it goes into invoke_artifact');
  });

  it("gives the problem in one short line", () => {
    const long = "x\n".repeat(50_000);
    for (const given of [
      { action_type: long },
      { action: { [long]: {} } },
      { action: { read_artifact: { artifact_id: long } } },
      { ...CALL_X, args_json: `😀${long}` },
      { action: { noop: {} }, sleep: { [long]: 1 } },
    ]) {
      const problem = problemIn(given);
      expect(problem).not.toBe("");
      expect(problem.length).toBeLessThan(600);
      expect(problem).not.toContain("\n");
    }
  });

  it("never splits a character", () => {
    for (let at = 70; at < 90; at++) {
      const problem = problemIn({ ...CALL_X, args_json: `${"x".repeat(at)}😀😀` });
      expect(problem).toContain("is not JSON text");
      expect(jsonProblem(problem, 1)).toBeNull();
    }
  });
});

describe("hostile JSON", () => {
  const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

  it("that is too deep is refused, in the reply and in the texts within it", () => {
    const args = (depth: number) =>
      `{"action": {"invoke_artifact": {"artifact_id": "x", "args": ${nested(depth)}}}}`;
    expect(problemIn(args(100_000))).not.toBe("");
    expect(problemIn(args(40))).toContain("nested too deeply");
    expect(problemIn({ ...CALL_X, args_json: nested(40) })).toContain("nested too deeply");
    expect(problemIn({ ...CALL_X, args_json: nested(100_000) })).not.toBe("");
    const sleep_until = JSON.parse(nested(20));
    expect(problemIn({ action_type: "noop", sleep_for_s: 1, sleep_until })).toContain("sleep");
    const write = { action_type: "write_artifact", artifact_id: "x" };
    const methods = [{ input_schema_json: nested(100_000) }];
    expect(problemIn({ ...write, interface: { methods } })).not.toBe("");
    const metadata_json = `{"a": ${nested(40)}}`;
    expect(problemIn({ ...write, metadata_json })).toContain("nested too deeply");
  });

  it("that is huge is refused quickly", () => {
    const long = problemIn(`{"a": "${"x".repeat(2_000_000)}", "action": {"noop": {}}}`);
    expect(long).toContain("contains no JSON object");
    expect(problemIn(`${"{".repeat(300_000)}${"}".repeat(300_000)}`)).not.toBe("");
  });

  it("changes no prototype", () => {
    for (const text of [
      '{"__proto__": {"action": {"noop": {}}}}',
      '{"action": {"__proto__": {}}}',
      '{"action": {"invoke_artifact": {"artifact_id": "x", "args": [{"__proto__": {"a": 1}}]}}}',
      '{"action_type": "invoke_artifact", "artifact_id": "x", "args_json": "[{\\"__proto__\\": 1}]"}',
      '{"action_type": "write_artifact", "artifact_id": "x", "interface": {"__proto___json": "1"}}',
    ]) {
      expect(problemIn(text)).not.toBe("");
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect("action" in {}).toBe(false);
  });
});

const word = fc.oneof(
  fc.constantFrom(
    ...["action", "action_type", "sleep", "for_s", "until", "args_json", "sleep_until"],
    ...[
      "noop",
      "write_artifact",
      "invoke_artifact",
      "artifact_id",
      "interface",
      "methods",
      "attach",
    ],
    ...["attach_scrip", "sleep_for_s", "constructor", "__proto__", "toString", "thought_process"],
  ),
  fc.string({ unit: "binary" }),
);
const leaf = fc.oneof(word, fc.double(), fc.boolean(), fc.constant(null), fc.constant("[1, {"));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "medium" },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(fc.tuple(word, tie("value")), { maxLength: 6 })
      .map((rows) => Object.fromEntries(rows)),
  ),
}));
const kind = fc.constantFrom("noop", "invoke_artifact", "constructor", "__proto__", "valueOf");
const replyLike = fc.oneof(
  fc.record({ action_type: kind, artifact_id: word, args_json: word, sleep_for_s: leaf }),
  fc.record({ action: fc.dictionary(kind, value, { maxKeys: 1 }), sleep: value }),
);
const asText = fc.oneof(
  replyLike.map((given) => JSON.stringify(given)),
  value.map((given) => JSON.stringify(given) ?? ""),
  fc.tuple(fc.string(), value).map(([prose, given]) => `${prose}{ ${JSON.stringify(given)} }`),
  fc.string({ unit: "binary" }),
);

describe("any text of a model", () => {
  it("never makes the reader throw, and the world can parse every accepted action", () => {
    fc.assert(
      fc.property(asText, fc.constantFrom(SIMPLE, OODA), (text, how) => {
        const answer = how.read(text);
        if (!answer.ok) {
          expect(jsonProblem(answer.problem, 1)).toBeNull();
          return;
        }
        const { action, sleep } = answer.value;
        expect(parseAction(action, DEPTH).kind).toBe("accepted");
        expect(jsonProblem(action, DEPTH)).toBeNull();
        expect(canonical(sleep)).not.toBe("");
      }),
      { numRuns: 2_000 },
    );
  });

  it("has the same action in the flat and the nested form", () => {
    const id = fc.stringMatching(/^[a-z][a-z0-9_]{0,10}$/);
    const action = fc.oneof(
      fc.record({ artifact_id: id }).map((fields) => ["read_artifact", fields] as const),
      fc
        .record({ artifact_id: id, method: id, args: fc.array(fc.jsonValue({ maxDepth: 2 })) })
        .map((fields) => ["invoke_artifact", fields] as const),
      fc
        .record({ artifact_id: id, content: fc.string(), price: fc.nat(1_000) })
        .map((fields) => ["write_artifact", fields] as const),
    );
    fc.assert(
      fc.property(action, ([kind, fields]) => {
        const nested = SIMPLE.read(JSON.stringify({ action: { [kind]: fields } }));
        const { args, ...rest } = { args: undefined, ...fields };
        const args_json = args === undefined ? null : JSON.stringify(args);
        const flat = SIMPLE.read(JSON.stringify({ action_type: kind, ...rest, args_json }));
        expect(flat).toEqual(nested);
      }),
    );
  });

  it("has forms that can be written as JSON Schema", () => {
    for (const schema of Object.values(REPLY_FORMS).flatMap(({ rich, flat }) => [rich, flat])) {
      expect(isObject(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }))).toBe(true);
    }
  });
});
