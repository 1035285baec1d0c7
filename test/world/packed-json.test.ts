import { hash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  inflated,
  jsonCountsOf,
  packedInBackground,
  packedJson,
  unpackedJson,
} from "../../src/world/core/packed-json.ts";

it("packs any chunks into one frame that unpacks to the same text", async () => {
  const chunk = fc.oneof(
    fc.constant(""),
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.nat(70_000).map((length) => "é,[1]".repeat(length)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(chunk), async (more) => {
      const chunks = ["[", ...more];
      const packed = await packedInBackground(chunks);
      const text = chunks.join("");
      expect(packed.sha256).toBe(hash("sha256", text));
      expect(unpackedJson(packed)?.toString()).toBe(text);
      expect(inflated(packed.frame)).toMatchObject({ readBytes: packed.frame.length });
    }),
    { numRuns: 30 },
  );
});

it("packs the same chunks to the same bytes, however long each takes", async () => {
  const noise = (n: number): string => hash("sha512", `${n}`).repeat(60);
  const chunks = Array.from({ length: 60 }, (_, n) => (n % 7 === 0 ? "" : noise(n)));
  /** Each chunk takes 1 ms; a slice ends after `sliceMsMax`. */
  const packedIn = (sliceMsMax: number) => {
    let now = 0;
    return packedInBackground(chunks, { sliceMsMax, nowMs: () => now++ });
  };
  const [one, ...others] = [await packedIn(1), await packedIn(3), await packedIn(1_000)];
  for (const other of others) expect(other).toEqual(one);
});

it("knows the census of what was packed, by either function", async () => {
  const chunks = ['{"a":[1,', "", '2,[3]],"b":"[,"}'];
  const census = { values: 6, deepest: 3 };
  const async = await packedInBackground(chunks);
  const one = packedJson(chunks.join(""));
  for (const packed of [async, one, { ...one, frame: Buffer.from(async.frame) }]) {
    expect(jsonCountsOf(packed)).toEqual(census);
    expect(jsonCountsOf(packed)).toEqual(census);
  }
});

it("reads nothing from a frame that does not match its size or hash", () => {
  const packed = packedJson('{"a":1}');
  expect(unpackedJson(packed)?.toString()).toBe('{"a":1}');
  for (const other of [
    { sizeBytes: 6 },
    { sizeBytes: 8 },
    { sha256: hash("sha256", '{"a":2}') },
    { frame: packed.frame.subarray(1) },
    { frame: packed.frame.subarray(0, -1) },
    { frame: Buffer.concat([packed.frame, packed.frame]) },
    { frame: Buffer.alloc(0) },
  ]) {
    const wrong = { ...packed, ...other };
    expect([unpackedJson(wrong), jsonCountsOf(wrong)]).toEqual([null, null]);
  }
});
