import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { emptyFolder, type SimResult, sim } from "../support/sim.ts";

export type Entry = { readonly [word: string]: unknown };

export type Scripts = { readonly [id: string]: readonly Entry[] };

/** Writes an agent.yaml; JSON is YAML. */
export const persona = (folder: string, id: string, fields: Entry): void => {
  const home = join(folder, "agents", id);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "agent.yaml"), JSON.stringify({ id, ...fields }));
};

export const folderOf = (scripts: Scripts): string => {
  const folder = emptyFolder();
  for (const [id, script] of Object.entries(scripts)) {
    persona(folder, id, { mind: "script", script });
  }
  return folder;
};

const about = { kind: z.string(), principal: z.string().nullable() };
const event = z.looseObject({ seq: z.number(), at_ms: z.number(), ...about });
export type Seen = z.infer<typeof event>;

export const eventsOf = (folder: string, run: string, ...args: readonly string[]): Seen[] => {
  const lines = sim(folder, "events", run, "--json", ...args).out.split("\n");
  return lines.filter((line) => line !== "").map((line) => event.parse(JSON.parse(line)));
};

const account = z.looseObject({ scrip: z.number(), held: z.number(), disk_used: z.number() });
const state = z.looseObject({
  accounts: z.record(z.string(), account),
  artifacts: z.array(z.looseObject({ id: z.string(), owner: z.string(), version: z.number() })),
});
export type State = z.infer<typeof state>;

/** One finished run under the virtual clock, whose journal verifies. */
export type ArenaRun = {
  readonly folder: string;
  readonly output: SimResult;
  readonly events: readonly Seen[];
  readonly state: State;
};

export const runScripts = (scripts: Scripts, ...args: readonly string[]): ArenaRun => {
  const folder = folderOf(scripts);
  const flags = ["--clock", "virtual", "--duration", "3600", "--name", "arena", "--json"];
  const output = sim(folder, "run", ...flags, ...args);
  const events = eventsOf(folder, "arena");
  const shown = state.parse(JSON.parse(sim(folder, "state", "arena", "--json").out));
  const verified = sim(folder, "verify", "arena");
  expect({ output, verified }).toMatchObject({ output: { code: 0 }, verified: { code: 0 } });
  expect(verified.out).toMatch(/all checks hold/);
  return { folder, output, events, state: shown };
};

const endsOf = ({ events }: ArenaRun, id: string): readonly Seen[] =>
  events.filter(({ kind, principal }) => {
    return principal === id && ["action_completed", "action_refused"].includes(kind);
  });

/** How each action of an agent ended, in order: `ok`, or the code of the refusal. */
export const endings = (run: ArenaRun, id: string): readonly string[] =>
  endsOf(run, id).map(({ kind, code }) => (kind === "action_completed" ? "ok" : String(code)));

export const outcomeOf = (run: ArenaRun, id: string): unknown => ({
  actionEvents: endsOf(run, id).map(({ seq: _seq, ...rest }) => rest),
  account: run.state.accounts[id],
  artifacts: run.state.artifacts.filter(({ owner }) => owner === id),
});

export const scripOf = ({ state: end }: ArenaRun, ...ids: readonly string[]) =>
  ids.map((id) => end.accounts[id]?.scrip);

/** The last result of an agent's calls of one artifact. */
export const answerOf = (run: ArenaRun, id: string, target: string): unknown => {
  const calls = endsOf(run, id).filter(({ action }) => action === "invoke_artifact");
  const last = calls.findLast((end) => end.kind === "action_completed" && end.target === target);
  return last === undefined ? undefined : JSON.parse(String(last.result));
};

export const write = (artifact_id: unknown, code: unknown, more: Entry = {}): Entry => ({
  write_artifact: { artifact_id, code, ...more },
});
export const note = (artifact_id: unknown, content: unknown, more: Entry = {}): Entry => ({
  write_artifact: { artifact_id, content, ...more },
});
export const call = (artifact_id: unknown, args: readonly unknown[] = [], more: Entry = {}) => ({
  invoke_artifact: { artifact_id, args, ...more },
});
export const read = (artifact_id: unknown, more: Entry = {}): Entry => ({
  read_artifact: { artifact_id, ...more },
});
export const wait = (seconds: number): Entry => ({ wait: seconds });

/** Large limits, so that no attack ends because a window is used up. */
export const PLENTY = [
  "resources.windows.actions=100000",
  "resources.windows.cpu_gas=1000000000",
  "resources.windows.bytes_written=1000000",
  "resources.stock.disk_bytes=50000000",
].flatMap((value) => ["--set", value]);

/** A short run without output on success. */
export const RUN = ["run", "--clock", "virtual", "--duration", "5", "--quiet"] as const;

/** An error is one line in words, without a stack. */
export const expectError = (output: SimResult, code: number, pattern: RegExp): void => {
  expect(output.err).toMatch(pattern);
  expect(output.err).toMatch(/^sim: [^\n]+\n$/);
  expect(output.err).not.toMatch(/bug in catallaxy|\n {4}at /);
  expect(output.code).toBe(code);
};
