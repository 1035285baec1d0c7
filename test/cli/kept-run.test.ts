import { describe, expect, it } from "vitest";
import { z } from "zod";
import { CHECKPOINT_VERSION } from "../../src/world/checkpoint/envelope.ts";
import { FORMAT_VERSION } from "../../src/world/journal/index.ts";
import { keptCheckpoint, keptDocument, layKeptRun } from "../support/kept-run.ts";
import { emptyFolder, type Said, sim } from "../support/sim.ts";

const upTo = (format: number): readonly number[] => Array.from({ length: format }, (_, i) => i + 1);

/** All that there have been. */
const FORMATS = upTo(FORMAT_VERSION);
const CHECKPOINT_FORMATS = upTo(CHECKPOINT_VERSION);

const FORMAT = `
A journal, a state or a checkpoint that an earlier catallaxy has written is no longer read as it
was. Others have such files. Raise the version of the format and add an upcast (journal:
src/world/journal/upcasts.ts, checkpoint: src/world/checkpoint/envelope.ts, state:
src/kernel/read-state.ts), and leave what is in test/fixtures/kept: a file of a new format comes
to stand beside the old one by \`node scripts/fixtures.ts\`.`;

const BEHAVIOUR = `
The commands of a run that is kept no longer cause what they caused. Where worlds are to behave
otherwise from now on, that is as it must be: make the kept run anew with
\`node scripts/fixtures.ts\`. Otherwise this change has broken the replay of every run there is.`;

const folderWith = (format: number): string => {
  const folder = emptyFolder();
  layKeptRun(folder, format);
  return folder;
};

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

const kept = keptDocument().state_hash;

describe.each(FORMATS)("a run that was kept long ago, in format %i", (format) => {
  const folder = folderWith(format);
  const inFolder = (...args: readonly string[]): Said => sim(folder, ...args);

  it("still verifies: its chain, its snapshots, and every invariant after its events", () => {
    const found = failing(inFolder("verify", "kept", "--json"));
    expect(
      found.filter((name) => !BY_RUNNING.includes(name)),
      FORMAT,
    ).toEqual([]);
  });

  it("leads to the same state, replayed and restored", () => {
    const seen = {
      replayed: hashIn(inFolder("replay", "kept", "--json")),
      restored: hashIn(inFolder("state", "kept", "--json")),
    };
    expect(seen, FORMAT).toEqual({ replayed: kept, restored: kept });
  });

  it("goes on in a fork as from its checkpoint, and both verify", () => {
    const forked = inFolder("fork", "kept", "--name", "fork", "--json");
    const restored = inFolder("run", "--from", "kept.ckpt", "--name", "rest", "--json");
    expect(forked.code, forked.err).toBe(0);
    expect(hashIn(forked)).toBe(hashIn(restored));
    for (const run of ["fork", "rest"]) {
      expect(failing(inFolder("verify", run, "--json")), FORMAT).toEqual([]);
    }
  });

  it("does in a fork what it did", () => {
    expect(inFolder("fork", "kept", "--at", "30", "--name", "alike", "--json").code).toBe(0);
    const { out } = inFolder("compare", "kept", "alike", "--json");
    const { partings } = JSON.parse(out);
    expect(partings, "the kept run was stopped, and its fork has gone on").toMatchObject([
      { related: true, events: [null, {}] },
    ]);
  });

  it("causes the same events when its commands are put again", () => {
    expect(failing(inFolder("verify", "kept", "--json")), BEHAVIOUR).toEqual([]);
  });
});

describe("a run of the present format", () => {
  it("goes on in its own journal as from its checkpoint, and verifies", () => {
    const folder = folderWith(FORMAT_VERSION);
    const resumed = sim(folder, "resume", "kept", "--json");
    expect(resumed.code, resumed.err).toBe(0);
    const restored = sim(folder, "run", "--from", "kept.ckpt", "--name", "rest", "--json");
    expect(hashIn(resumed)).toBe(hashIn(restored));
    expect(failing(sim(folder, "verify", "kept", "--json"))).toEqual([]);
  });
});

describe("a run of an earlier format", () => {
  it("is not gone on with in its own journal: a fork is the cure", () => {
    const folder = folderWith(1);
    const { code, err } = sim(folder, "resume", "kept");
    expect({ code, err }).toEqual({ code: 3, err: expect.stringMatching(/format 1.*`sim fork`/) });
  });
});

describe.each(CHECKPOINT_FORMATS)("a checkpoint that was kept, in format %i", (format) => {
  it("still verifies", () => {
    const said = sim(emptyFolder(), "verify", keptCheckpoint(format), "--json");
    expect({ failing: failing(said), hash: hashIn(said) }, FORMAT).toEqual({
      failing: [],
      hash: kept,
    });
  });

  it("is gone on with to the end that the run comes to", () => {
    const folder = folderWith(FORMAT_VERSION);
    const restored = sim(
      folder,
      "run",
      "--from",
      keptCheckpoint(format),
      "--name",
      "rest",
      "--json",
    );
    const resumed = sim(folder, "resume", "kept", "--json");
    expect(hashIn(restored), FORMAT).toBe(hashIn(resumed));
  });
});
