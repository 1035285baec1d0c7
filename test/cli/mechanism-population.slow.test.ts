import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SHIPPED } from "../../src/run/config/index.ts";
import { eventsOf } from "../attack/arena.ts";
import { PARTS } from "../mechanisms/mechanism-world.ts";
import { sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

/** One mechanism of every kind, by id, with the name of its file and its settings. */
const INSTALLED: readonly (readonly [id: string, name: string, settings?: string])[] = [
  ["wheat", "token", "{ issuer: commons }"],
  ["order_book", "order-book", "{ good: wheat }"],
  ["call_market", "call-market", "{ good: wheat, period_s: 20 }"],
  ["shop", "posted-price", "{ good: wheat }"],
  ["exchange", "constant-product", "{ good: wheat }"],
  ["first_price", "first-price"],
  ["vickrey", "vickrey"],
  ["english", "english"],
  ["dutch", "dutch"],
  ["forecast", "prediction-market", "{ question: Will it rain?, resolver: commons, payout: 1 }"],
  ["matching", "deferred-acceptance", "{ period_s: 20 }"],
  ["bargaining", "bargaining"],
  ["funding", "quadratic-funding", "{ period_s: 20 }"],
  ["commons", "commons", "{ good: wheat, period_s: 20 }"],
  ["values", "induced-values", "{ good: wheat, values: { ada: [9, 5], alpha: [7] } }"],
];

const CONFIG = `run: { clock: virtual }
mechanisms:
${INSTALLED.map(
  ([id, name, settings = "{}"]) =>
    `  ${id}: { file: mechanisms/${name}.js, settings: ${settings} }\n`,
).join("")}`;

/** What a call of an agent may end with. Anything else is a mistake of a mechanism. */
const REFUSALS: ReadonlySet<unknown> = new Set([
  "rejected_by_artifact",
  "interface_mismatch",
  "invalid_argument",
]);

/** The shipped agents, in a world with every mechanism, of which nothing in them speaks. */
const run = (...args: readonly string[]) => {
  const folder = folderWith({ "config.yaml": CONFIG });
  const ran = sim(folder, "run", "--name", "run", "--json", ...args);
  expect(ran).toMatchObject({ code: 0 });
  expect(sim(folder, "verify", "run").code).toBe(0);
  const ids = new Set<unknown>(INSTALLED.map(([id]) => id));
  const calls = ["artifact_invoked", "invocation_failed"].map((kind) =>
    eventsOf(folder, "run", "--kind", kind).filter(({ artifact_id }) => ids.has(artifact_id)),
  );
  const [done = [], failed = []] = calls;
  expect(failed.filter(({ code }) => !REFUSALS.has(code))).toEqual([]);
  return { done, failed };
};

const MODELS = [
  ...["--agents", "agents-llm", "--model", "mock"],
  ...["--set", "memory.embedder=hashed"],
];

describe("a population that never heard of mechanisms", () => {
  it("meets every shipped one", () => {
    const files = readdirSync(SHIPPED.mechanisms).filter((file) => file.endsWith(".js"));
    const names = files.map((file) => file.replace(".js", "")).filter((name) => !PARTS.has(name));
    expect(INSTALLED.map(([, name]) => name).sort()).toEqual(names.sort());
  });

  it("finds some of them, calls them as their interfaces say, and the world stays consistent", () => {
    const { done, failed } = run(...MODELS, "--duration", "180");
    const used = new Set([...done, ...failed].map(({ artifact_id }) => artifact_id));
    expect(used.size).toBeGreaterThanOrEqual(5);
    expect(done.length).toBeGreaterThan(0);
  });

  it("calls some of them by chance, if its policies do not look for them", () => {
    const { done, failed } = run("--duration", "60");
    expect(done.length).toBeGreaterThan(0);
    expect(
      new Set([...done, ...failed].map(({ artifact_id }) => artifact_id)).size,
    ).toBeGreaterThan(2);
  });
});
