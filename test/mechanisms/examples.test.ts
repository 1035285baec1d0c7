import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { asId, fitArgs, type Interface } from "../../src/kernel/index.ts";
import { SHIPPED } from "../../src/run/config/index.ts";
import { install, mechanismWorlds, PARTS, perform } from "./mechanism-world.ts";
import { STORIES } from "./stories.ts";

const newWorld = mechanismWorlds();
const START_MS = 100_000;

const nameless = (example: unknown): unknown =>
  JSON.parse(JSON.stringify(example).replaceAll('"market"', '"it"'));

it("has a story for every shipped mechanism", () => {
  const files = readdirSync(SHIPPED.mechanisms).filter((file) => file.endsWith(".js"));
  const names = files.map((file) => file.replace(".js", "")).filter((name) => !PARTS.has(name));
  expect([...STORIES.keys()].sort()).toEqual(names.sort());
});

describe.each([...STORIES])("the examples of %s", (name, { settings, others = {}, calls }) => {
  it("happen as its interface says, and it explains every method", () => {
    const v = newWorld({ alice: 20_000, bob: 20_000, carol: 20_000 });
    v.atMs = START_MS;
    v.program("alice", "my_tool", "function run() {}");
    v.must(v.writes("alice", "my_note", { content: "x" }));
    install(v, "it", name, settings);
    for (const [id, [file, given]] of Object.entries(others)) install(v, id, file, given);
    const results = calls.map((call) => ({ call, result: perform(v, call) }));
    const { interface: declared, methods = [] } = v.state.artifacts.get(asId("it")) ?? {};
    const explained = (declared as Interface).methods;
    expect(explained.map((method) => method.name).sort()).toEqual([...methods].sort());
    for (const method of explained) {
      const own = results.filter(({ call }) => call.to === method.name);
      const shown = own.map(({ call: { args = [] }, result }) => ({ args, result }));
      expect(method.examples?.length, method.name).toBeGreaterThan(0);
      for (const example of method.examples ?? []) {
        expect(shown.map(nameless), method.name).toContainEqual(nameless(example));
        expect(fitArgs(method, example.args)).toMatchObject({ kind: "accepted" });
      }
    }
  });
});
