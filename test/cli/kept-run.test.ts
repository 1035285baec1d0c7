import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { keptDocument, layKeptRun } from "../support/kept-run.ts";
import { emptyFolder, type Said, sim } from "../support/sim.ts";

const FORMAT = `
A journal, a state or a checkpoint that an earlier catallaxy has written is no longer read as it
was. Others have such files. Raise the version of the format and add an upcast (journal:
src/world/journal/upcasts.ts, checkpoint: src/world/checkpoint/envelope.ts, state:
src/kernel/read-state.ts), and leave test/fixtures/kept as it is.`;

const BEHAVIOUR = `
The commands of a run that is kept no longer cause what they caused. Where worlds are to behave
otherwise from now on, that is as it must be: make the kept run anew with
\`node scripts/fixtures.ts\`. Otherwise this change has broken the replay of every run there is.`;

const folder = emptyFolder();
const inFolder = (...args: readonly string[]): Said => sim(folder, ...args);
beforeAll(() => layKeptRun(folder));

const hashed = z.object({ state_hash: z.string() });
const hashIn = ({ out, err }: Said): string => {
  const read = hashed.safeParse(out.startsWith("{") ? JSON.parse(out) : out);
  return read.success ? read.data.state_hash : err;
};

const verdict = z.object({ checks: z.array(z.object({ name: z.string(), ok: z.boolean() })) });
const failing = ({ out, err }: Said): readonly string[] => {
  const read = verdict.safeParse(out.startsWith("{") ? JSON.parse(out) : out);
  if (!read.success) return [err];
  return read.data.checks.filter(({ ok }) => !ok).map(({ name }) => name);
};

/** What `sim verify` cannot say without running the commands again. */
const BY_RUNNING: readonly string[] = ["rerun"];

describe("a run that was kept long ago", () => {
  const kept = keptDocument().state_hash;

  it("still verifies: its chain, its snapshots, and every invariant after its events", () => {
    const found = failing(inFolder("verify", "kept", "--json"));
    expect(
      found.filter((name) => !BY_RUNNING.includes(name)),
      FORMAT,
    ).toEqual([]);
  });

  it("leads to the same state, replayed, restored and from its checkpoint", () => {
    const seen = {
      replayed: hashIn(inFolder("replay", "kept", "--json")),
      restored: hashIn(inFolder("state", "kept", "--json")),
      checkpoint: hashIn(inFolder("verify", "kept.ckpt", "--json")),
    };
    expect(seen, FORMAT).toEqual({ replayed: kept, restored: kept, checkpoint: kept });
    expect(failing(inFolder("verify", "kept.ckpt", "--json")), FORMAT).toEqual([]);
  });

  it("goes on from its checkpoint as from its journal, and both verify", () => {
    const other = emptyFolder();
    layKeptRun(other);
    const forked = sim(other, "run", "--from", "kept.ckpt", "--name", "rest", "--json");
    const resumed = sim(other, "resume", "kept", "--json");
    expect({ code: forked.code, err: resumed.code === 0 ? "" : resumed.err }, FORMAT).toEqual({
      code: 0,
      err: "",
    });
    expect(hashIn(forked)).toBe(hashIn(resumed));
    expect(failing(sim(other, "verify", "rest", "--json"))).toEqual([]);
  });

  it("causes the same events when its commands are put again", () => {
    expect(failing(inFolder("verify", "kept", "--json")), BEHAVIOUR).toEqual([]);
  });
});
