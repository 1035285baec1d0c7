import { expect, it } from "vitest";
import { must } from "../../../src/kernel/index.ts";
import { type Config, loadConfig } from "../../../src/run/index.ts";
import { chooseClock } from "../../../src/run/request/clock-choice.ts";

const configWith = (...sets: readonly string[]): Config => {
  const loaded = loadConfig({ file: null, sets, flags: [] });
  return must(loaded.ok ? loaded.config : undefined, "the settings are valid");
};

const OFFLINE = { mind: "policy/trader", model: null };
const ON_MODEL = { mind: "llm", model: null };
const BY_DEFAULT = "gemini/gemini-3-flash-preview";

it.each([
  ["offline agents", { thinkers: [OFFLINE] }, "virtual", "no agent calls a provider"],
  ["an agent on a model", { thinkers: [OFFLINE, ON_MODEL] }, "wall", `agents call ${BY_DEFAULT}`],
  [
    "an agent on the mock model",
    { thinkers: [{ mind: "llm", model: "mock" }] },
    "virtual",
    "no agent calls a provider",
  ],
  [
    "recorded replies",
    { thinkers: [ON_MODEL], isReplay: true },
    "virtual",
    "no agent calls a provider",
  ],
  ["a person who watches", { isWatched: true }, "wall", "the dashboard is open"],
])("run.clock: auto with %s", (_, choosing, clock, reason) => {
  const given = { thinkers: [], isWatched: false, isReplay: false, ...choosing };
  const config = configWith(`llm.default_model=${BY_DEFAULT}`);
  const chosen = chooseClock(config, given);
  expect(chosen).toEqual({ config: { ...config, run: { ...config.run, clock } }, reason });
});

it.each(["wall", "virtual"])("run.clock: %s stays", (clock) => {
  const config = configWith(`run.clock=${clock}`);
  for (const isWatched of [true, false]) {
    const given = { thinkers: [ON_MODEL], isWatched, isReplay: false };
    expect(chooseClock(config, given)).toEqual({ config, reason: null });
  }
});
