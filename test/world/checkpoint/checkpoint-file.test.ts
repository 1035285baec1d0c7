import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { asId } from "../../../src/kernel/index.ts";
import {
  CHECKPOINT_VERSION,
  DOCUMENT_BOUNDS,
  sealed,
} from "../../../src/world/checkpoint/envelope.ts";
import { jsonCountsOf, packedJson, unpackedJson } from "../../../src/world/core/packed-json.ts";
import {
  type Checkpoint,
  readCheckpoint,
  validatedState,
  writeCheckpoint,
} from "../../../src/world/index.ts";
import {
  type CheckpointDocument,
  checkpointDocument,
  checkpointFileOf,
  framesIn,
  sealedFile,
} from "../../support/checkpoint-files.ts";
import { sharedFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { checkpointWith, freshPath } from "./fixtures.ts";

const written = async (checkpoint: Checkpoint = checkpointWith()): Promise<string> => {
  const path = freshPath();
  expect(await writeCheckpoint(path, checkpoint)).toEqual({ ok: true, bytes: statSync(path).size });
  return path;
};

const problemWith = (path: string, bounds = DOCUMENT_BOUNDS): string => {
  const read = readCheckpoint(path, bounds);
  const state = read.ok ? validatedState(read.checkpoint, bounds) : read;
  return state.ok ? "it was read" : state.problem;
};

const VALID = join(sharedFolder(), "valid.ckpt");
let validFile: Buffer;
let firstLine = "";
beforeAll(async () => {
  await writeCheckpoint(VALID, checkpointWith());
  validFile = readFileSync(VALID);
  firstLine = validFile.subarray(0, validFile.indexOf("\n") + 1).toString();
});

const fileOf = (bytes: Uint8Array | string): string => {
  const path = join(temporaryFolder(), "x.ckpt");
  writeFileSync(path, bytes);
  return path;
};

/** A file with these frames after the first line, and a correct digest. */
const sealedWith = (...frames: readonly Uint8Array[]): string =>
  fileOf(sealedFile(CHECKPOINT_VERSION, ...frames));

/** A file with other fields in its document, and a correct digest. */
const edited =
  (fields: CheckpointDocument, version = CHECKPOINT_VERSION) =>
  (): string =>
    fileOf(checkpointFileOf({ ...checkpointDocument(validFile), ...fields }, version));

/** A file with another state and its correct hash. */
const withState = (state: object) =>
  edited({ state, state_hash: hash("sha256", JSON.stringify(state)) });

describe("a written checkpoint", () => {
  it("is read back the same", async () => {
    const checkpoint = checkpointWith();
    expect(readCheckpoint(await written(checkpoint))).toEqual({ ok: true, checkpoint });
  });

  it("is read back with any memories, any config and a long state", async () => {
    const text = fc.string({ unit: "binary", maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.array(text), text, async (texts, config) => {
        const memories = texts.map((text, at) => {
          return { artifact: asId("a"), number: at + 1, atMs: at, kind: "action", text } as const;
        });
        const checkpoint = checkpointWith({ memories, config });
        expect(readCheckpoint(await written(checkpoint))).toEqual({ ok: true, checkpoint });
      }),
      { numRuns: 15 },
    );
    const long = `["é${"😀".repeat(400_000)}"]`;
    const checkpoint = checkpointWith({ state: packedJson(long) });
    const read = readCheckpoint(await written(checkpoint));
    expect(read).toEqual({ ok: true, checkpoint });
    expect(read.ok && unpackedJson(read.checkpoint.state)?.toString()).toBe(long);
  });

  it("has one text line and two zstd frames of JSON: the document and the state", async () => {
    const bytes = readFileSync(await written());
    const [line = ""] = bytes.toString("latin1").split("\n");
    const frames = bytes.subarray(line.length + 1);
    expect(line).toBe(`catallaxy-checkpoint ${CHECKPOINT_VERSION} ${hash("sha256", frames)}`);
    const [document = "", text = "", ...more] = framesIn(bytes);
    expect(more).toEqual([]);
    const { sha256, sizeBytes } = checkpointWith().state;
    expect([hash("sha256", text), Buffer.byteLength(text)]).toEqual([sha256, sizeBytes]);
    expect(document.indexOf("\n")).toBe(document.length - 1);
    expect(JSON.parse(document)).toEqual({
      made_by: { version: "0.1.0", engine: "quickjs" },
      run: { id: "r2", seed: 7, clock: "virtual", ancestry: [{ run_id: "r1", seq: 3 }] },
      seq: 7,
      at_ms: 1_234,
      event_hash: "e".repeat(64),
      state_hash: sha256,
      state_bytes: sizeBytes,
      spent_micros: 99,
      config: "run:\n  seed: 7\n",
      memories: [
        { artifact: "alice", number: 1, at_ms: 5, kind: "action", text: 'I wrote "state":{ 😀' },
        { artifact: "bob", number: 1, at_ms: 6, kind: "observation", text: "" },
      ],
      thoughts: checkpointWith().thoughts,
    });
  });

  it("can be written again, but never replaces another file", async () => {
    const path = await written();
    expect(await writeCheckpoint(path, checkpointWith())).toMatchObject({ ok: true });
    const before = readFileSync(path);
    expect(await writeCheckpoint(path, checkpointWith({ seq: 8 }))).toEqual({
      ok: false,
      isTaken: true,
      problem: expect.stringMatching(/7\.ckpt: another file is there already; move it away/),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(dirname(path))).toEqual(["7.ckpt"]);
  });

  it("is complete if two are written to one path at once", async () => {
    const path = freshPath();
    const write = (seq: number) => writeCheckpoint(path, checkpointWith({ seq }));
    const both = await Promise.all([write(7), write(8)]);
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
    const [seq] = both.flatMap(({ ok }, at) => (ok ? [7 + at] : []));
    expect(readCheckpoint(path)).toMatchObject({ ok: true, checkpoint: { seq } });
  });

  it("fails with one line on an invalid path, and leaves no file", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    mkdirSync(join(folder, "taken.ckpt"));
    symlinkSync("nowhere", join(folder, "lost.ckpt"));
    spawnSync("mkfifo", [join(folder, "pipe.ckpt")]);
    for (const [path, words] of [
      [join(folder, "file", "x.ckpt"), /a part of its path is not a folder; choose another path$/],
      [join(folder, "taken.ckpt"), /a folder is there; choose another path$/],
      [join(folder, "lost.ckpt"), /a broken link is there; choose another path$/],
      [join(folder, "pipe.ckpt"), /a pipe or a device is there; choose another path$/],
      ["/proc/nowhere/x.ckpt", /cannot write the checkpoint \/proc\/nowhere\/x.ckpt: /],
      ["/dev/full/x.ckpt", /a part of its path is not a folder/],
    ] as const) {
      const wrote = await writeCheckpoint(path, checkpointWith());
      expect(wrote.ok ? "written" : wrote.problem).toMatch(words);
      expect(wrote.ok ? "" : wrote.problem).not.toContain("\n");
    }
    expect(readdirSync(folder).sort()).toEqual(["file", "lost.ckpt", "pipe.ckpt", "taken.ckpt"]);
  });
});

describe("a world too large for a checkpoint", () => {
  it.each([
    ["bytes", { bytesMax: 2_000 }, /it has 1 MB, but the maximum is 1 MB$/],
    ["bytes per byte", { bytesFree: 0, bytesPerByte: 1 }, /it has 1 MB, too much for a file/],
    ["values", { valuesMax: 9 }, /it has more than 9 values$/],
    ["nesting", { depthMax: 3 }, /it has values nested more than 3 levels deep$/],
    ["configuration", { configCharsMax: 9 }, /it has a configuration of 15 characters$/],
  ])("by its %s is not written", async (_, bound, words) => {
    const made = await sealed(checkpointWith(), { ...DOCUMENT_BOUNDS, ...bound });
    expect(made.ok ? "it was written" : made.problem).toMatch(words);
  });

  const memories = Array.from({ length: 40 }, (_, at) => {
    return {
      artifact: asId("a"),
      number: at + 1,
      atMs: at,
      kind: "action",
      text: "x".repeat(99),
    } as const;
  });
  const bytesIn = (file: Buffer): readonly number[] =>
    framesIn(file).map((text) => Buffer.byteLength(text));

  it("by document and state together is neither written nor read", async () => {
    const path = await written(checkpointWith({ memories }));
    const sizes = bytesIn(readFileSync(path));
    const together = sizes.reduce((sum, size) => sum + size);
    expect(Math.max(...sizes)).toBeLessThan(together - 1_000);
    const problemsAt = async (bytesMax: number): Promise<readonly string[]> => {
      const bounds = { ...DOCUMENT_BOUNDS, bytesMax };
      const made = await sealed(checkpointWith({ memories }), bounds);
      return [made.ok ? "it was written" : made.problem, problemWith(path, bounds)];
    };
    expect(await problemsAt(together)).toEqual(["it was written", "it was read"]);
    expect(await problemsAt(together - 1)).toEqual([
      expect.stringMatching(/^the world is too large for a checkpoint: it has 1 MB, but the max/),
      expect.stringMatching(/contains more than 1 MB, too much for a checkpoint of its size/),
    ]);
  });

  it.each([
    ["values", "valuesMax", "[0,0,0,0,0,0,0,0,0]"],
    ["nesting", "depthMax", "[[[[[[[[[0]]]]]]]]]"],
  ] as const)("by the %s of its state is neither written nor read", async (_, bound, list) => {
    const checkpoint = checkpointWith({
      state: packedJson(list.repeat(9)),
      memories: [],
      thoughts: [],
    });
    const census = jsonCountsOf(checkpoint.state);
    if (census === null) throw new Error("the packed state is invalid");
    const most = { valuesMax: census.values, depthMax: census.deepest }[bound];
    const path = await written(checkpoint);
    const problemsAt = async (max: number): Promise<readonly string[]> => {
      const bounds = { ...DOCUMENT_BOUNDS, [bound]: max };
      const made = await sealed(checkpoint, bounds);
      return [made.ok ? "it was written" : made.problem, problemWith(path, bounds)];
    };
    expect((await problemsAt(most))[0]).toBe("it was written");
    expect(await problemsAt(most - 1)).toEqual([
      expect.stringMatching(/^the world is too large for a checkpoint: it has .*more than/),
      expect.stringMatching(/^its state contains .*more than .*; use another checkpoint$/),
    ]);
  });

  it("is not written if its frame holds another state", async () => {
    const { state } = checkpointWith();
    const other = checkpointWith({ state: { ...state, sha256: "f".repeat(64) } });
    expect(await writeCheckpoint(freshPath(), other)).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/its state was changed, because it does not match/),
    });
  });
});

describe("an invalid checkpoint", () => {
  it.each<readonly [string, () => string, RegExp]>([
    ["no file", () => join(temporaryFolder(), "x.ckpt"), /x\.ckpt does not exist; give the path/],
    ["a folder", () => temporaryFolder(), /is a folder; give the path/],
    ["a device", () => "/dev/zero", /is not a file/],
    ["a path below a file", () => join(fileOf("x"), "y"), /cannot be read|does not exist/],
    ["an empty file", () => fileOf(""), /is empty/],
    ["a text", () => fileOf("a diary\n".repeat(50)), /is not a checkpoint of catallaxy; give the/],
    ["SQLite", () => fileOf(`SQLite format 3\0${"\0".repeat(200)}`), /is not a checkpoint of cat/],
    [
      "a zstd file",
      () => fileOf(zstdCompressSync("{}")),
      /is not a checkpoint of catallaxy; give the/,
    ],
    ["the first line alone", () => fileOf(firstLine), /truncated or was changed/],
    ["no frame", () => sealedWith(Buffer.from("{}")), /: no zstd frame follows its first line$/],
    ["no JSON", () => sealedWith(zstdCompressSync("{")), /its document cannot be read: /],
    [
      "other JSON",
      () => sealedWith(zstdCompressSync("[1]")),
      /not a checkpoint: its document is not a record/,
    ],
    ["a seq that is text", edited({ seq: "7" }), /is not a checkpoint: seq is not a whole number/],
    [
      "a memory of none",
      edited({ memories: [{ text: "" }] }),
      /: memories\[0\]\.artifact is missing/,
    ],
    [
      "a late time",
      edited({ at_ms: 2e12 }),
      /checkpoint: at_ms is not .*; use an unchanged copy of it$/,
    ],
    [
      "no room for further events",
      edited({ seq: 2 ** 53 - 1 }),
      /is not a checkpoint: seq is not a whole number/,
    ],
    ["a seq of 0", edited({ seq: 0 }), /is not a checkpoint: seq is not a whole number/],
    ["an invalid hash", edited({ event_hash: "zz" }), /event_hash is not a SHA-256/],
    [
      "an ancestor without an id",
      edited({ run: { id: "r", seed: 1, clock: "virtual", ancestry: [{ run_id: "", seq: 1 }] } }),
      /is not a checkpoint: run\.ancestry\[0\]\.run_id is not the name of a run/,
    ],
    ["a configuration that is too long", edited({ config: "x".repeat(2e6) }), /config/],
    ["no state", edited({ state: undefined }), /state was changed/],
    ["another state", edited({ state: {} }), /its state was changed/],
    [
      "another hash",
      edited({ state_hash: "f".repeat(64) }),
      /its state was changed, because it does not match its hash; use an unch/,
    ],
    ["a state without tables", withState({ version: 1 }), /^this is not the state of a world: it/],
    ["a later state", withState({ version: 9 }), /it has version \d+, and this program reads/],
    ["a later format", edited({}, 3), /has format 3, but this program reads format 1; use/],
    ["an earlier format", edited({}, 0), /has format 0, but this program reads format 1; use/],
  ])("is refused with a reason: %s", (_, make, words) => {
    const problem = problemWith(make());
    expect(problem).toMatch(words);
    expect(problem).not.toContain("\n");
  });

  it("is refused after a bounded read if it inflates to too much", () => {
    // RLE blocks of 128 kB each: a few bytes that inflate to a gigabyte.
    const block = Buffer.from([0x02, 0x00, 0x10, 0x20]);
    const last = Buffer.from([0x03, 0x00, 0x10, 0x20]);
    const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
    const bomb = Buffer.concat([head, ...Array.from({ length: 8_191 }, () => block), last]);
    const path = sealedWith(bomb);
    expect(problemWith(path)).toMatch(
      /contains more than 20 MB, too much for a checkpoint of its size; use another checkpoint$/,
    );
    expect(problemWith(path, { ...DOCUMENT_BOUNDS, bytesMax: 3_000_000 })).toMatch(
      /contains more than 3 MB, too much for a checkpoint of its/,
    );
  });

  const repeated = (each: string): string => `[${each.repeat(15_000_000 / each.length)}0]`;

  it.each([
    ["lists", "[],", /contains more than 10000000 values, too much for a checkpoint/],
    ["nested lists", "[", /contains more than 10000000 values, too much for a checkpoint/],
    ["maps", '{"a":1},', /is not a checkpoint: made_by is missing/],
  ])("is refused before its %s are parsed, or at the first wrong one", (_, each, words) => {
    const document = `{"memories":${repeated(each)}}`;
    expect(problemWith(sealedWith(zstdCompressSync(document)))).toMatch(words);
  });

  it.each([
    ["lists", "[],", /^its state contains more than 10000000 values; use another checkpoint$/],
    ["nested lists", "[", /^its state contains more than 10000000 values/],
    ["maps", '{"a":1},', /^this is not the state of a world: it has version/],
  ])("is refused before the %s in its state are parsed", (_, each, words) => {
    const { frame, sha256, sizeBytes } = packedJson(`{"version":${repeated(each)}}`);
    const { state: _state, ...head } = checkpointDocument(validFile);
    const document = { ...head, state_hash: sha256, state_bytes: sizeBytes };
    const file = sealedWith(zstdCompressSync(JSON.stringify(document)), frame);
    expect(problemWith(file)).toMatch(words);
  });

  it("is refused if its state has another size than stated, or more follows it", () => {
    const [head = "", text = ""] = framesIn(validFile);
    const wrong = "its state was changed, because it does not match its hash";
    const document = JSON.parse(head);
    const state = zstdCompressSync(text);
    const whole = Buffer.byteLength(text);
    const problemFor = (sizeBytes: number, ...frames: readonly Uint8Array[]): string => {
      const text = JSON.stringify({ ...document, state_bytes: sizeBytes });
      return problemWith(sealedWith(zstdCompressSync(text), ...frames));
    };
    expect(problemFor(whole, state)).toBe("it was read");
    expect(problemFor(whole - 1, state)).toContain(wrong);
    expect(problemFor(whole + 1, state)).toContain(wrong);
    expect(problemFor(whole)).toContain(wrong);
    expect(problemFor(whole, Buffer.from("{}"))).toContain(wrong);
    expect(problemFor(whole, state, state)).toContain(wrong);
    const tooMuch = /x\.ckpt contains more than 17 MB, too much for a checkpoint/;
    expect(problemFor(17e6, state)).toMatch(tooMuch);
    expect(problemFor(-1, state)).toMatch(/is not a checkpoint: state_bytes is not/);
  });

  it("is refused if it is nested too deeply", () => {
    const deep = JSON.parse(`${"[".repeat(1_100)}${"]".repeat(1_100)}`);
    expect(problemWith(edited({ more: deep })())).toMatch(
      /contains values nested more than 1000 levels deep, too much for a checkpoint/,
    );
  });

  it("is refused unread if the file is too large", () => {
    const path = fileOf(validFile);
    truncateSync(path, 2 ** 30);
    expect(problemWith(path)).toMatch(/is too large for a checkpoint/);
  });
});

describe("a damaged checkpoint", () => {
  it("is refused if it is cut at any length", () => {
    const lengths = [1, 20, 21, 22, 23, 80].concat(firstLine.length - 1, firstLine.length);
    lengths.push(validFile.length - 1);
    const anywhere = fc.integer({ min: 1, max: validFile.length - 1 });
    fc.assert(
      fc.property(fc.oneof(anywhere, fc.constantFrom(...lengths)), (length) => {
        expect(problemWith(fileOf(validFile.subarray(0, length)))).toMatch(/is truncated/);
      }),
      { numRuns: 150, examples: lengths.map((length) => [length]) },
    );
  });

  it("is refused if any bit is flipped", () => {
    const inFirstLine = Array.from({ length: firstLine.length }, (_, at) => at);
    const position = fc.oneof(fc.nat(validFile.length - 1), fc.constantFrom(...inFirstLine));
    fc.assert(
      fc.property(position, fc.nat(7), (at, bit) => {
        const bytes = Buffer.from(validFile);
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
        const problem = problemWith(fileOf(bytes));
        expect(problem).toMatch(/is not a ch|damaged first line|is truncated|has format/);
        expect(problem).not.toContain("\n");
      }),
      { numRuns: 300 },
    );
  });

  it("is refused if something follows it", () => {
    const longer = Buffer.concat([validFile, Buffer.from("\n")]);
    expect(problemWith(fileOf(longer))).toMatch(/is truncated or was changed/);
  });

  it("is read if only the layout of its document changed", () => {
    const { state, ...rest } = checkpointDocument(validFile);
    const document = JSON.stringify(Object.fromEntries(Object.entries(rest).reverse()), null, 2);
    const frames = [document, JSON.stringify(state)].map((text) => zstdCompressSync(text));
    const checkpoint = checkpointWith();
    expect(readCheckpoint(sealedWith(...frames))).toEqual({ ok: true, checkpoint });
  });
});

it("says how to fix a checkpoint without read permission", () => {
  const path = fileOf(validFile);
  chmodSync(dirname(path), 0o755);
  chmodSync(path, 0o000);
  // Root may read anything, so as root another user's process does this.
  const otherUser = process.getuid?.() === 0 ? { uid: 65_534 } : {};
  const script = fileURLToPath(new URL("fixtures/read-checkpoint.ts", import.meta.url));
  const child = spawnSync(process.execPath, [script, path], { ...otherUser, encoding: "utf8" });
  expect(child.stdout).toMatch(/cannot be read: you have no permission; make it readable$/m);
  expect(existsSync(path)).toBe(true);
});
