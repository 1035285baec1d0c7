import { describe, expect, it } from "vitest";
import {
  ACTION_KINDS,
  codeGuide,
  fieldsOf,
  INTERFACE_KEYS,
  type Interface,
  isList,
  isObject,
  type Json,
  type JsonObject,
  METHOD_KEYS,
  QUERY_KINDS,
  REFUSAL_CODES,
} from "../../../src/kernel/index.ts";
import { WAKES } from "../../../src/mind/index.ts";
import { estimateTokens } from "../../../src/model/port/units.ts";
import { SYSCALL_NAMES } from "../../../src/world/execution/syscalls.ts";
import { openingRequests } from "../../../src/world/index.ts";
import { SHIPPED_PHYSICS } from "../../support/shipped-physics.ts";
import { fileSandbox } from "../../support/test-world.ts";
import { examplesIn, type Performed, perform, shippedPages, toldWorld } from "./told-world.ts";

const sandbox = fileSandbox(SHIPPED_PHYSICS);
const pages = shippedPages();

/** The examples of each page, performed in a new world. */
const performed = new Map<string, Promise<readonly Performed[]>>();
const performedOn = (page: string): Promise<readonly Performed[]> => {
  const known =
    performed.get(page) ??
    toldWorld(sandbox).then((world) => perform(world, examplesIn(pages.get(page) ?? "")));
  performed.set(page, known);
  return known;
};

describe.each([...pages.keys()])("%s", (page) => {
  it("states what happens in each of its examples", async () => {
    const examples = await performedOn(page);
    expect(examples.map(({ name, happens }) => `${name} → ${happens}`)).toEqual(
      examples.map(({ name, says }) => `${name} → ${says}`),
    );
  });

  it("is short", () => {
    const most = ["handbook_toc", "handbook_actions"].includes(page) ? 1_200 : 1_500;
    expect(estimateTokens(pages.get(page) ?? "")).toBeLessThanOrEqual(most);
  });
});

const actionsOf = (examples: readonly Performed[]): readonly JsonObject[] =>
  examples.flatMap(({ told }) => (told.kind === "action" ? [told.action] : []));

const fieldNames = (action: JsonObject, kind: string): readonly string[] => {
  const fields = action[kind];
  return isObject(fields) ? Object.keys(fields) : [];
};

describe("examples exist for", () => {
  it.each(ACTION_KINDS)("every field of %s", async (kind) => {
    const actions = actionsOf(await performedOn("handbook_actions"));
    expect(actions.some((action) => kind in action)).toBe(true);
    const used = new Set(actions.flatMap((action) => fieldNames(action, kind)));
    expect([...used].sort()).toEqual(
      fieldsOf(kind)
        .map(({ name }) => name)
        .sort(),
    );
    for (const { name, about } of fieldsOf(kind)) {
      expect(pages.get("handbook_actions")).toContain(`- ${name}: ${about}`);
    }
  });

  it("every key of an interface and of its methods", async () => {
    const written = actionsOf(await performedOn("handbook_actions")).flatMap(
      ({ write_artifact: fields }) =>
        isObject(fields) && isObject(fields.interface) ? [fields.interface as Interface] : [],
    );
    const keysOf = (values: readonly object[]) =>
      new Set(values.flatMap((value) => Object.keys(value)));
    expect(keysOf(written)).toEqual(keysOf([INTERFACE_KEYS]));
    expect(keysOf(written.flatMap(({ methods }) => methods))).toEqual(keysOf([METHOD_KEYS]));
  });

  it.each(Object.entries(WAKES))("the condition %s of a sleep", (_name, { shape }) => {
    for (const key of Object.keys(shape)) {
      expect(pages.get("handbook_coordination")).toContain(`"${key}": `);
    }
  });

  it.each(REFUSAL_CODES)("the refusal code %s", async (code) => {
    const { ofPrograms, means, cure } = codeGuide(code);
    const page = ofPrograms ? "handbook_program_errors" : "handbook_refusals";
    expect(pages.get(page)).toContain(`- ${code}: ${means}. Cure: ${cure}.\n`);
    const happened = (await performedOn(page)).map(({ happens }) => happens);
    expect(happened.some((each) => each === `refused: ${code}` || each === `"${code}"`)).toBe(true);
  });

  it("every function of `kernel`", async () => {
    const world = await toldWorld(sandbox);
    world.program("alice", "demo", "function run() { return Object.keys(kernel) }");
    const names: readonly string[] = JSON.parse(world.calls("bob", "demo").result ?? "[]");
    expect(names).toEqual(expect.arrayContaining([...SYSCALL_NAMES]));
    const text = pages.get("handbook_syscalls") ?? "";
    const shown = (await performedOn("handbook_syscalls")).map(({ name }) => name);
    for (const name of names) {
      expect(text).toContain(`\n- ${name}(`);
      expect(shown.filter((code) => code.startsWith(`kernel.${name}(`))).not.toEqual([]);
    }
    for (const [, name = ""] of text.matchAll(/^- (\w+)\(/gm)) expect(names).toContain(name);
  });

  it.each(QUERY_KINDS)("queries of kind %s", async (kind) => {
    const shown = (await performedOn("handbook_syscalls")).map(({ name }) => name);
    expect(shown.some((code) => code.startsWith(`kernel.query("${kind}"`))).toBe(true);
  });
});

const INTERFACES: readonly (readonly [id: string, declared: Interface])[] = openingRequests(
  SHIPPED_PHYSICS,
).flatMap((request) => {
  if (request.kind !== "install_artifact" || request.fields.type !== "genesis") return [];
  const declared = request.fields.interface ?? null;
  return declared === null ? [] : [[request.id, declared] as const];
});

describe.each(INTERFACES)("%s", (id, declared) => {
  const page = id.replace("genesis_", "handbook_");

  it.each(declared.methods)(
    "$name gives the results that its interface declares",
    async (method) => {
      expect(pages.get(page)).toContain(`: ${method.description}\n`);
      expect(method.examples?.length ?? 0, `examples of ${method.name}`).toBeGreaterThan(0);
      const calls = (await performedOn(page)).filter(({ told }) => {
        const call = told.kind === "action" ? told.action.invoke_artifact : null;
        return isObject(call) && call.artifact_id === id && call.method === method.name;
      });
      for (const { args, result } of method.examples ?? []) {
        const same = calls.filter(({ told }) => argsIn(told) === JSON.stringify(args));
        expect(same, `${page} must call ${method.name} with ${JSON.stringify(args)}`).not.toEqual(
          [],
        );
        const results = same.map(({ outcome }) => steady(JSON.parse(outcome.result ?? "null")));
        expect(results).toContainEqual(subset(steady(result)));
      }
    },
  );
});

/** Every argument of a method, and every key of an argument that is an object. */
const partsIn = ({ input_schema }: Interface["methods"][number]) => {
  const { properties, required } = input_schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, schema], at) => {
    const inner = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
    const keys = Object.keys(inner).map((key) => ({
      name: `${name}.${key}`,
      at,
      key,
      needed: false,
    }));
    return [{ name, at, key: null, needed: needed.includes(name) }, ...keys];
  });
};

describe.each(INTERFACES)("the page of %s", (id, { methods }) => {
  it.each(methods)("calls $name with and without each optional argument", async (method) => {
    const calls = actionsOf(await performedOn(id.replace("genesis_", "handbook_")))
      .map(({ invoke_artifact: call }) => call)
      .filter((call) => isObject(call) && call.artifact_id === id && call.method === method.name)
      .map((call) => (isObject(call) && isList(call.args) ? call.args : []));
    for (const { name, at, key, needed } of partsIn(method)) {
      const has = (args: readonly Json[]): boolean => {
        const arg = args[at];
        return key === null ? arg !== undefined : isObject(arg) && Object.hasOwn(arg, key);
      };
      expect(calls.some(has), `a call with ${name}`).toBe(true);
      if (!needed) expect(calls.every(has), `every call has ${name}`).toBe(false);
    }
  });
});

const argsIn = (told: Performed["told"]): string => {
  const call = told.kind === "action" ? told.action.invoke_artifact : null;
  return JSON.stringify(isObject(call) ? (call.args ?? []) : null);
};

/** Without the numbers of events, which depend on the number of artifacts in the world. */
const steady = (value: Json): Json =>
  JSON.parse(JSON.stringify(value).replaceAll(/"(n|last)":\d{2,}/g, '"$1":50'));

/** Matches values with at least these keys: an example may leave out rows of other artifacts. */
const subset = (value: Json): unknown => (isObject(value) ? expect.objectContaining(value) : value);
