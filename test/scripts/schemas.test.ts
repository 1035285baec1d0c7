import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { personaFiles, TEMPLATE_MINDS } from "../../src/run/index.ts";

const TOP = join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(join(TOP, file), "utf8");

/** Says what an editor would say that checks a file with this schema. */
const editorFor = (name: string): ((yaml: string) => boolean) => {
  const schema = z.fromJSONSchema(JSON.parse(read(`docs/schema/${name}.schema.json`)));
  return (yaml) => schema.safeParse(parse(yaml)).success;
};
const accepts = { agent: editorFor("agent"), config: editorFor("config") };

const SHIPPED = ["agents", "agents-llm", "agents-bargain"].flatMap((population) =>
  readdirSync(join(TOP, population))
    .filter((name) => existsSync(join(TOP, population, name, "agent.yaml")))
    .map((name) => `${population}/${name}/agent.yaml`),
);

/** What is said of a key in a schema, by the way to it. */
const saidOf = (name: string, path: readonly string[]): string | undefined =>
  path.reduce(
    (here, key) => here.properties[key],
    JSON.parse(read(`docs/schema/${name}.schema.json`)),
  ).description;

describe("the schema of agent.yaml", () => {
  it.each(SHIPPED)("accepts %s, which names it", (file) => {
    const text = read(file);
    expect(accepts.agent(text)).toBe(true);
    const [, way = ""] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
    expect(join(dirname(file), way)).toBe("docs/schema/agent.schema.json");
  });

  it.each(TEMPLATE_MINDS)("accepts what `sim agents new` writes for %s", async (mind) => {
    const files = await personaFiles({ id: "dora", mind, schema: "x" });
    expect(accepts.agent(files["agent.yaml"] ?? "")).toBe(true);
  });

  it.each([
    ["a misspelt key", "id: a\nmind: llm\ntemprature: 1\n"],
    [
      "a misspelt key of a step",
      "id: a\nworkflow: { steps: [{ name: x, type: llm, promt: y }] }\n",
    ],
    ["a misspelt setting of a policy", "id: a\nmind: policy/worker\npolicy: { nap: 1 }\n"],
    ["a misspelt word of a script", "id: a\nmind: script\nscript: [{ wiat: 1 }]\n"],
    ["a value out of bounds", "id: a\nmind: llm\ntemperature: 3\n"],
    ["no id", "mind: llm\n"],
  ])("does not accept %s", (_what, yaml) => {
    expect(accepts.agent(yaml)).toBe(false);
  });

  it("says what each key means, those of the configuration in its words", () => {
    expect(saidOf("agent", ["temperature"])).toMatch(/^how much the answers vary/);
    expect(saidOf("agent", ["rag", "limit"])).toBe(saidOf("config", ["agent", "rag", "limit"]));
    expect(saidOf("agent", ["rag", "limit"])).toBe("number of memories");
  });
});

describe("the schema of config.yaml", () => {
  it("accepts the shipped one, which names it", () => {
    expect(accepts.config(read("config.yaml"))).toBe(true);
    expect(read("config.yaml")).toMatch(
      /^# yaml-language-server: \$schema=docs\/schema\/config.schema.json\n/,
    );
  });

  it.each([
    ["a file that changes one thing", "agent: { rag: { limit: 3 } }\n"],
    ["a section with nothing in it", "agent:\nllm:\n  providers:\n"],
    ["a price of one's own", "llm: { pricing: { my-model: { input: 1, output: 2 } } }\n"],
    ["null, where that means none", "run: { max_actions: null }\n"],
  ])("accepts %s", (_what, yaml) => {
    expect(accepts.config(yaml)).toBe(true);
  });

  it.each([
    ["a misspelt key", "run: { sed: 7 }\n"],
    ["a misspelt choice", "run: { clock: real }\n"],
    ["text for a number", "scrip: { starting_amount: many }\n"],
    ["a task without tests", "mint: { tasks: [{ id: a, description: b, reward: 1 }] }\n"],
  ])("does not accept %s", (_what, yaml) => {
    expect(accepts.config(yaml)).toBe(false);
  });

  it("says what each key means and what its default is", () => {
    expect(saidOf("config", ["run", "seed"])).toMatch(/^random seed; the same seed/);
    const { properties } = JSON.parse(read("docs/schema/config.schema.json"));
    expect(properties.run.properties.duration_s.default).toBe(600);
    const { anthropic, google } = properties.llm.properties.providers.properties;
    expect(anthropic.properties.base_url.description).toBe("address of a gateway");
    expect(google.properties.requests_per_minute.default).toBe(60);
    expect(anthropic.properties.requests_per_minute.default).toBe(50);
  });
});
