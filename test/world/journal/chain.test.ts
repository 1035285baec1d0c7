import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { eventHash, snapshotHash } from "../../../src/world/journal/chain.ts";
import { GENESIS_HASH } from "../../../src/world/journal/index.ts";

/** Another way to the same hash, so that the framing in the documentation is the framing in use. */
const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");
const zeros = "0".repeat(64);

it("begins with 64 zeros", () => {
  expect(GENESIS_HASH).toBe(zeros);
});

it("hashes an event with lengths in UTF-8 bytes in front of its texts", () => {
  const event = { seq: 12, atMs: 345, kind: "read", principal: "é", body: '{"n":1}' };
  expect(eventHash(zeros, event, null)).toBe(sha256(`${zeros}12 345 4:read,2:é,7:{"n":1},`));
});

it("writes a dash for nobody, and adds the command to a transaction's first event", () => {
  const event = { seq: 1, atMs: 0, kind: "read", principal: null, body: "{}" };
  const cause = { command: '{"a":1}', fused: true };
  expect(eventHash(zeros, event, cause)).toBe(sha256(`${zeros}1 0 4:read,-2:{},7:{"a":1},1`));
  expect(eventHash(zeros, event, { ...cause, fused: false })).toBe(
    sha256(`${zeros}1 0 4:read,-2:{},7:{"a":1},0`),
  );
});

it("hashes a snapshot with the event that it was taken after", () => {
  const seal = { seq: 9, stateHash: "s", bodySha256: "b", eventHash: "e" };
  expect(snapshotHash(zeros, seal)).toBe(sha256(`${zeros}9 1:s,1:b,1:e,`));
});
