import { expect } from "vitest";
import { z } from "zod";
import {
  ACTION_FIELDS,
  asId,
  closesAt,
  fieldsOf,
  isObject,
  type Json,
  type JsonObject,
  must,
  nextSaleAt,
  offersCompute,
  type Physics,
  physicsOf,
  worldRow,
} from "../../../src/kernel/index.ts";
import { COGNITIVE_SCHEMAS } from "../../../src/mind/core/settings.ts";
import { decisionReader, REPLY_FORMS } from "../../../src/mind/index.ts";

import { endOfObject } from "../../../src/model/chat-text/json-in-text.ts";
import { agentProblem } from "../../../src/run/agents/agent-minds.ts";
import {
  candidateOf,
  type Outcome,
  openingRequests,
  type Sandbox,
  usageScorer,
} from "../../../src/world/index.ts";
import { SHIPPED_PHYSICS } from "../../support/shipped-physics.ts";
import { TestWorld } from "../../support/test-world.ts";

/** An example on a page, or the time at which the next examples happen. */
export type Told =
  | { readonly kind: "time"; readonly atMs: number }
  | { readonly kind: "expression"; readonly code: string; readonly says: string }
  | {
      readonly kind: "action";
      readonly by: string;
      readonly times: number;
      readonly action: JsonObject;
      /** The text after the arrow, or null if the page promises only that the action succeeds. */
      readonly says: string | null;
    };

const ACTS = /^(alice|bob|carol)(?:, (\d+) times)?: (\{.*)$/;
const AT = /^(?:at|Examples, .*,) ([\d.]+) s(?::| after its start\.)$/;
const EXPRESSION = /^ {2}(kernel\..*) → (.*)$/;
const ARROW = " → ";

/** All pages of a world, by id. */
export const pagesOf = (physics: Physics): ReadonlyMap<string, string> =>
  new Map(
    openingRequests(physics).flatMap((request) =>
      request.kind === "install_artifact" && request.fields.type === "handbook"
        ? [[request.id, request.fields.content ?? ""] as const]
        : [],
    ),
  );

/** All pages that a world with the default settings has, by id. */
export const shippedPages = (): ReadonlyMap<string, string> => pagesOf(SHIPPED_PHYSICS);

/** Reads the examples of a page from its text. Fails for an example that is not valid JSON. */
export const examplesIn = (text: string): readonly Told[] => {
  const [, artifact = ""] =
    /body of \{"invoke_artifact": \{"artifact_id": "(\w+)"/.exec(text) ?? [];
  return text.split("\n").flatMap((line): readonly Told[] => {
    const [, seconds] = AT.exec(line) ?? [];
    if (seconds !== undefined) return [{ kind: "time", atMs: Math.round(Number(seconds) * 1_000) }];
    const [, code, value] = EXPRESSION.exec(line) ?? [];
    if (code !== undefined) return [{ kind: "expression", code, says: value ?? "" }];
    const [, by, times = "1", rest] = ACTS.exec(line) ?? [];
    return by === undefined || rest === undefined
      ? []
      : [{ kind: "action", by, times: Number(times), ...actionIn(rest, artifact) }];
  });
};

const actionIn = (text: string, artifact_id: string) => {
  const end = must(endOfObject(text, 0), `${text} must have JSON after the name`);
  const body: JsonObject = JSON.parse(text.slice(0, end));
  const ending = text.slice(end);
  expect(ending === "" || ending.startsWith(ARROW), text).toBe(true);
  const action = "method" in body ? { invoke_artifact: { artifact_id, ...body } } : body;
  return { action, says: ending === "" ? null : ending.slice(ARROW.length) };
};

/** The reply of a strict provider that chooses this action: records and lists are JSON text. */
const flatReply = (action: JsonObject): JsonObject => {
  const [kind = "", fields = {}] = Object.entries(action)[0] ?? [];
  const given: JsonObject = isObject(fields) ? fields : {};
  const flat: Record<string, Json> = { action_type: kind };
  for (const { name, type } of ACTION_FIELDS) {
    const value = given[name] ?? null;
    if (type === "attachment") {
      flat.attach_scrip = isObject(value) ? (value.scrip ?? null) : null;
      flat.attach_artifacts = isObject(value) ? (value.artifacts ?? null) : null;
    } else if (type === "object" || type === "list") {
      flat[`${name}_json`] = value === null ? null : JSON.stringify(value);
    } else flat[name] = type === "interface" ? flatInterface(value) : value;
  }
  return { ...flat, sleep_for_s: null, sleep_until: null };
};

const flatInterface = (declared: Json): Json => {
  if (!isObject(declared)) return null;
  const methods = declared.methods as readonly JsonObject[];
  return {
    ...declared,
    methods: methods.map(({ input_schema, output_schema, examples, ...method }) => ({
      ...method,
      input_schema_json: JSON.stringify(input_schema),
      output_schema_json: output_schema === undefined ? null : JSON.stringify(output_schema),
      examples:
        (examples as readonly JsonObject[] | undefined)?.map(({ args, result }) => ({
          args_json: JSON.stringify(args),
          result_json: JSON.stringify(result),
        })) ?? null,
    })),
  };
};

/** The form as a provider gets it: a JSON Schema that allows no other keys. */
const strict = (form: z.ZodType): z.ZodType =>
  z.fromJSONSchema(z.toJSONSchema(form) as Parameters<typeof z.fromJSONSchema>[0]);

const STRICT_FORMS = {
  simple: { rich: strict(REPLY_FORMS.simple.rich), flat: strict(REPLY_FORMS.simple.flat) },
  ooda: { rich: strict(REPLY_FORMS.ooda.rich), flat: strict(REPLY_FORMS.ooda.flat) },
} as const;

const THOUGHTS = {
  simple: { thought_process: "I act." },
  ooda: { situation_assessment: "I have scrip.", action_rationale: "I act." },
} as const;

const JSON_DEPTH_MAX = SHIPPED_PHYSICS.artifacts.json_depth_max;

const readBefore = new Set<string>();

/** The action as the reader of replies reads it, which must be the same in every form of reply. */
export const readAction = (action: JsonObject): Json => {
  const text = JSON.stringify(action);
  if (readBefore.has(text)) return action;
  for (const schema of COGNITIVE_SCHEMAS) {
    for (const [level, decision] of [
      ["rich", { action }],
      ["flat", flatReply(action)],
    ] as const) {
      const reply = { ...THOUGHTS[schema], ...decision };
      const fits = STRICT_FORMS[schema][level].safeParse(reply);
      expect(fits.error?.issues, JSON.stringify(reply)).toBeUndefined();
      const read = decisionReader(schema, JSON_DEPTH_MAX).read(JSON.stringify(reply));
      expect(read, JSON.stringify(reply)).toMatchObject({ ok: true, value: { action } });
    }
  }
  for (const [kind, fields] of Object.entries(action)) {
    const known = fieldsOf(kind as "noop").map(({ name }) => name);
    expect(known, JSON.stringify(action)).toEqual(
      expect.arrayContaining(Object.keys(isObject(fields) ? fields : {})),
    );
  }
  readBefore.add(text);
  return action;
};

/** A world with the agents that the pages name, at 100 s, by default with the default settings. */
export const toldWorld = async (
  sandbox: Sandbox,
  physics: Physics = SHIPPED_PHYSICS,
): Promise<TestWorld> => {
  const world = new TestWorld(sandbox, { physics, agentProblem });
  const { windows, disk_bytes: disk, llm_budget_micros: micros } = physics.resources;
  for (const id of ["alice", "bob", "carol"]) {
    const content = JSON.stringify({ mind: "policy/worker" });
    world.agent(id, { scrip: 100, disk, micros, quotas: windows, content });
  }
  await waitUntil(world, 100_000);
  return world;
};

/**
 * Goes to a later time. Auctions that close by then are resolved, winners are scored by use, and
 * model budget is sold.
 */
export const waitUntil = async (world: TestWorld, atMs: number): Promise<void> => {
  const hasMint = world.state.artifacts.has(asId("genesis_mint"));
  const auction = (): number =>
    hasMint ? closesAt(physicsOf(world.state).mint, worldRow(world.state).auctions) : Infinity;
  const nextSale = (): number => (offersCompute(world.state) ? nextSaleAt(world.state) : Infinity);
  for (;;) {
    const closes = auction();
    const sale = nextSale();
    if (Math.min(closes, sale) > atMs) break;
    if (sale < closes) {
      world.must(world.submit({ kind: "sell_compute", at_ms: sale }));
      continue;
    }
    world.must(world.submit({ kind: "resolve_auction", at_ms: closes }));
    for (const winner of [...world.state.submissions.rows()]) {
      const candidate = candidateOf(world.world, winner, closes);
      const judged = await usageScorer.score(candidate, AbortSignal.any([]));
      if (!judged.ok) throw new Error(judged.reason);
      const { score, reason, memo } = judged;
      const about = { submission: winner.id, score, reason, memo };
      world.must(world.submit({ kind: "score_artifact", at_ms: closes, ...about }));
    }
  }
  world.atMs = atMs;
};

/** What a page says about an example, and what really happens. */
export type Performed = {
  readonly name: string;
  readonly says: string;
  readonly happens: string;
  readonly outcome: Outcome;
  readonly told: Exclude<Told, { readonly kind: "time" }>;
};

export const perform = async (
  world: TestWorld,
  examples: readonly Told[],
): Promise<readonly Performed[]> => {
  const performed: Performed[] = [];
  for (const told of examples) {
    if (told.kind === "time") {
      await waitUntil(world, told.atMs);
      continue;
    }
    const name = told.kind === "expression" ? told.code : JSON.stringify(told.action);
    const outcome = outcomeOf(world, told);
    const says = told.says ?? "success";
    performed.push({ name, says, happens: happening(outcome, told.says), outcome, told });
  }
  return performed;
};

/** The outcome in the words of a page: cut like the result on the page, or "success". */
const happening = (outcome: Outcome, says: string | null): string => {
  const { success, result, error_code, message } = outcome;
  const refusal = `refused: ${error_code}`;
  if (!success) return says === refusal ? refusal : `${refusal} (${message})`;
  if (says === null) return "success";
  // The numbers of events depend on the number of artifacts in the world.
  const shown = (result ?? "null").replaceAll(/"(n|last)":\d{2,}/g, '"$1":50');
  return says.endsWith("…") ? `${shown.slice(0, says.length - 1)}…` : shown;
};

const outcomeOf = (world: TestWorld, told: Exclude<Told, { readonly kind: "time" }>): Outcome => {
  if (told.kind === "expression") {
    const code = `function run() { return ${told.code} }`;
    world.must(world.writes("alice", "demo", { code }));
    return world.calls("bob", "demo");
  }
  const action = readAction(told.action);
  for (let time = 1; time < told.times; time++) world.must(world.acts(told.by, action));
  return world.acts(told.by, action);
};
