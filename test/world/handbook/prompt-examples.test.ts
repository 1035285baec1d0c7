import { describe, expect, it } from "vitest";
import {
  ACTION_KINDS,
  asId,
  isObject,
  type Json,
  type JsonObject,
  must,
} from "../../../src/kernel/index.ts";
import { COGNITIVE_SCHEMAS } from "../../../src/mind/core/settings.ts";
import { decisionReader, REPLY_FORMS } from "../../../src/mind/index.ts";
import { replyGuide } from "../../../src/mind/reply/reply-form.ts";
import { endOfObject } from "../../../src/model/chat-text/json-in-text.ts";
import { estimateTokens } from "../../../src/model/port/units.ts";
import { firstPrompts } from "../../../src/run/agents/first-prompts.ts";
import { SHIPPED_POPULATIONS } from "../../../src/run/config/index.ts";
import { readAgent } from "../../../src/run/minds/agent-config.ts";
import { loadPersonas } from "../../../src/run/persona/load-personas.ts";
import type { Persona } from "../../../src/run/persona/persona.ts";
import { actionsGuide, candidateOf } from "../../../src/world/index.ts";
import { SHIPPED_CONFIG, SHIPPED_PHYSICS } from "../../support/shipped-physics.ts";
import { fileSandbox, resultOf, type TestWorld } from "../../support/test-world.ts";
import { examplesIn, readAction, shippedPages, toldWorld, waitUntil } from "./told-world.ts";

const sandbox = fileSandbox(SHIPPED_PHYSICS);
const world = await toldWorld(sandbox);

/** Every object in a text that is written as JSON. Fails if one cannot be parsed. */
const objectsIn = (text: string): readonly JsonObject[] => {
  const found: JsonObject[] = [];
  for (let at = text.search(/\{\s*"|\{\}/); at !== -1; ) {
    const end = must(endOfObject(text, at), `${text.slice(at, at + 80)} must end`);
    const shown = text.slice(at, end);
    // A shape such as {"method": ...} is not an example.
    if (!/: ?\.\.\.|, \.\.\.|"\?:/.test(shown)) found.push(JSON.parse(shown.replaceAll("\n", " ")));
    const next = text.slice(end).search(/\{\s*"|\{\}/);
    at = next === -1 ? -1 : end + next;
  }
  return found;
};

const isAction = (given: JsonObject): boolean =>
  ACTION_KINDS.some((kind) => isObject(given[kind]) && Object.keys(given).length === 1);

const succeeds = (v: TestWorld, action: JsonObject): void => {
  const outcome = v.acts("alice", readAction(action));
  expect(outcome, JSON.stringify(action)).toMatchObject({ success: true });
};

/** What each kind of JSON in a text must do. The first kind whose check is true applies. */
const KINDS: readonly (readonly [
  is: (given: JsonObject) => boolean,
  works: (given: JsonObject) => void,
])[] = [
  [isAction, (action) => succeeds(world, action)],
  [
    ({ action }) => isObject(action),
    (reply) => {
      for (const schema of COGNITIVE_SCHEMAS) {
        const read = decisionReader(schema, 32).read(JSON.stringify(reply));
        expect(read, JSON.stringify(reply)).toMatchObject({ ok: true });
        const { sleep = null } = reply;
        if (read.ok) expect(read.value.sleep === null).toBe(sleep === null);
      }
      if (isObject(reply.action)) succeeds(world, reply.action);
    },
  ],
  [({ for_s }) => for_s !== undefined, (sleep) => sleeps(sleep)],
  [
    (given) =>
      ["event", "scrip_at_least", "llm_budget_at_least", "resource"].some((k) => k in given),
    (wake) => sleeps({ for_s: 1, until: [wake] }),
  ],
  [
    ({ allowed }) => allowed !== undefined,
    (permit) => {
      const code = `function check_permission() { return ${JSON.stringify(permit)} }`;
      world.program("carol", "law", code);
      world.must(world.writes("alice", "ruled", { content: "x", access: "law" }));
      world.must(world.reads("bob", "ruled"));
    },
  ],
  [
    ({ system_prompt }) => system_prompt !== undefined,
    (config) => expect(readAgent(JSON.stringify(config))).toMatchObject({ ok: true }),
  ],
  [
    ({ sort }) => sort !== undefined,
    (filter) => world.must(world.calls("alice", "genesis_store.list", [filter as Json])),
  ],
];

const sleeps = (sleep: Json): void => {
  const reply = JSON.stringify({ thought_process: "I wait.", action: { noop: {} }, sleep });
  const read = decisionReader("simple", 32).read(reply);
  expect(read, reply).toMatchObject({ ok: true, value: { sleep: { until: expect.anything() } } });
};

const works = (text: string): number => {
  const objects = objectsIn(text).filter((given) => Object.keys(given).length > 0);
  for (const given of objects) {
    const [, check] = must(
      KINDS.find(([is]) => is(given)),
      `no test knows what ${JSON.stringify(given)} is for`,
    );
    check(given);
  }
  return objects.length;
};

/** Results of earlier steps are data, not examples. */
const withoutResults = (text: string): string =>
  text.replace(/## Earlier steps\n[\s\S]*?(?=\n## |$)/, "");

const thinkers = (): readonly Persona[] => {
  const folder = must(SHIPPED_POPULATIONS.get("agents-llm"), "the population is known");
  const loaded = loadPersonas({ dirs: [folder], seed: 1, only: [] });
  return must(loaded.ok ? loaded.personas : null, "the shipped personas are valid");
};

describe("the JSON in a text that models read works:", () => {
  it("the guide to actions", () => {
    expect(works(actionsGuide())).toBe(ACTION_KINDS.length);
  });

  it.each(COGNITIVE_SCHEMAS)("the guide to replies and the form, %s", (schema) => {
    expect(works(replyGuide(schema, { sleepMaxS: 120 }))).toBeGreaterThan(3);
    expect(works(REPLY_FORMS[schema].described)).toBeGreaterThan(1);
  });

  it("the first prompts of the shipped population", async () => {
    const personas = thinkers();
    const prompts = await firstPrompts(SHIPPED_CONFIG, personas);
    expect(prompts.length).toBe(personas.length);
    for (const { persona, prompt, steps } of prompts) {
      // The tools of an agent have schemas instead of examples.
      const fewest = persona.content.includes('"mind":"tools"') ? 0 : 1;
      for (const text of [prompt.system, prompt.prompt]) {
        expect(works(text)).toBeGreaterThanOrEqual(fewest);
      }
      for (const step of steps) works(withoutResults(step.text));
    }
  });

  it.each([...shippedPages()])("%s, outside its examples", (_id, text) => {
    const prose = text.split("\n").filter((line) => examplesIn(line).length === 0);
    works(prose.join("\n").replaceAll("<your name>", "alice"));
  });
});

/** Names of pages in a text, such as handbook_tools. */
const pagesNamedIn = (text: string): readonly string[] => text.match(/\bhandbook_\w+/g) ?? [];

it("texts name only pages that exist", async () => {
  const prompts = await firstPrompts(SHIPPED_CONFIG, thinkers());
  const texts = prompts.flatMap(({ prompt }) => [prompt.system, prompt.prompt]);
  const named = [...texts, ...shippedPages().values()].flatMap(pagesNamedIn);
  expect(named).toContain("handbook_actions");
  expect([...shippedPages().keys()]).toEqual(expect.arrayContaining([...new Set(named)]));
});

describe("a model that has read only its prompt", () => {
  it("sells a program with declared examples at its first try", async () => {
    const [write] = objectsIn(actionsGuide()).filter((action) => "write_artifact" in action);
    const [call] = objectsIn(actionsGuide()).filter((action) => "invoke_artifact" in action);
    const v = await toldWorld(sandbox);
    v.must(v.acts("alice", readAction(must(write, "the guide writes"))));
    const search = v.calls("bob", "genesis_store.search", ["doubles"]);
    expect(resultOf(search)).toMatchObject([{ id: "my_doubler", price: 2, methods: ["run"] }]);
    const invoked = v.must(v.acts("bob", readAction(must(call, "the guide calls"))));
    expect([resultOf(invoked), invoked.charged.scrip]).toEqual([42, 2]);
    expect(v.scrips("alice", "bob")).toEqual([102, 98]);

    v.must(v.calls("alice", "genesis_mint.bid", ["my_doubler"], { attach: { scrip: 3 } }));
    v.must(v.submit({ kind: "resolve_auction", at_ms: 120_000 }));
    const winner = [...v.state.submissions.rows()].find(
      ({ artifact }) => artifact === "my_doubler",
    );
    const candidate = candidateOf(v.world, must(winner, "my_doubler has won"), 120_000);
    expect(candidate.examples).toEqual({ run: 1, passed: 1 });
    await waitUntil(v, 180_000);
    expect(v.state.scores.get(asId("my_doubler"))?.reason).toContain("1 of 1 declared examples");
  });
});

it("the guide to actions in every prompt is short", () => {
  expect(estimateTokens(actionsGuide())).toBeLessThan(640);
});
