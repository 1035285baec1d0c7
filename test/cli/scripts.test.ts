import { beforeAll, describe, expect, it } from "vitest";
import { SCRIPT_WORDS } from "../../src/mind/index.ts";
import { type ArenaRun, type Entry, eventsOf, runScripts } from "../attack/arena.ts";

const DOUBLE = "function run(a) { return a * 2 }";

/** Every word that a script may use, as a confederate would. */
const SCRIPT: readonly Entry[] = [
  { noop: {} },
  { write_artifact: { artifact_id: "double", code: DOUBLE } },
  { wait: 2.5 },
  { repeat: 3, do: [{ invoke_artifact: { artifact_id: "double", args: [4] } }] },
  { read_artifact: { artifact_id: "nothing" } },
  { if_last: "succeeded", do: [{ read_artifact: { artifact_id: "not_reached" } }] },
  { if_last: "not_found", do: [{ noop: {} }] },
  { sleep: { for_s: 5, until: [{ event: "artifact_read" }] } },
  { noop: {} },
  { sleep: { for_s: 500 } },
];

const wordsOf = (script: readonly Entry[]): readonly string[] =>
  script.flatMap(({ do: inner, ...entry }) => [
    ...Object.keys(entry),
    ...(Array.isArray(inner) ? wordsOf(inner) : []),
  ]);

describe("a script with every word there is", () => {
  let run: ArenaRun;
  beforeAll(() => {
    run = runScripts({ ann: SCRIPT });
  });
  const actionEvents = () =>
    run.events.filter(({ kind }) => ["action_completed", "action_refused"].includes(kind));

  it("uses all script words", () => {
    expect(new Set(wordsOf(SCRIPT))).toEqual(new Set(Object.keys(SCRIPT_WORDS)));
  });

  it("is executed in order", () => {
    const [call, noop] = ["invoke_artifact double", "noop null"];
    expect(actionEvents().map(({ action, target }) => `${action} ${target}`)).toEqual([
      ...[noop, "write_artifact double", call, call, call, "read_artifact nothing"],
      ...[noop, noop, noop],
    ]);
    const [, written, called] = actionEvents();
    expect((called?.at_ms ?? 0) - (written?.at_ms ?? 0)).toBeGreaterThanOrEqual(2_500);
  });

  it("is told that its sleep was shortened", () => {
    const last = actionEvents().at(-1);
    expect(last?.message).toMatch(/the sleep is limited to 120 s, less than the 500 s requested$/);
    const slept = eventsOf(run.folder, "latest", "--kind", "agent_state_changed");
    expect(slept.flatMap(({ sleep }) => sleep ?? [])).toEqual([
      { for_ms: 5_000, until: [{ event: "artifact_read" }] },
      { for_ms: 120_000, until: [] },
    ]);
  });
});
