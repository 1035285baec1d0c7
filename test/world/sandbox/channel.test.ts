import { expect, test } from "vitest";
import {
  Channel,
  fitsInPayload,
  newChannelMemory,
  PAYLOAD_BYTES,
  SIDE,
} from "../../../src/world/sandbox/channel.ts";

const ends = (): readonly [Channel, Channel] => {
  const memory = newChannelMemory();
  return [new Channel(memory, SIDE.host), new Channel(memory, SIDE.engine)];
};

test("carries numbers and texts unchanged in both directions", () => {
  const [host, engine] = ends();
  host.begin(7).number(1.5).number(-2).text("żółć 😀").text("").bytes(Buffer.from("raw")).send();
  expect(engine.receive(0)).toBe(7);
  expect([engine.numberAt(0), engine.numberAt(1)]).toEqual([1.5, -2]);
  expect([engine.textAt(0), engine.textAt(1), engine.textAt(2)]).toEqual(["żółć 😀", "", "raw"]);
  engine.begin(8).text("back").send();
  expect(host.receive(0)).toBe(8);
  expect(host.textAt(0)).toBe("back");
});

test("receives null if nothing was sent", () => {
  const [host] = ends();
  expect(host.receive(1)).toBe(null);
});

test("throws if a part is read that was not sent", () => {
  const [host, engine] = ends();
  host.begin(1).text("only").send();
  engine.receive(0);
  expect(() => engine.textAt(1)).toThrow();
  expect(() => engine.numberAt(0)).toThrow();
});

test("measures the payload in bytes", () => {
  expect(fitsInPayload("x".repeat(PAYLOAD_BYTES))).toBe(true);
  expect(fitsInPayload("x".repeat(PAYLOAD_BYTES), "y")).toBe(false);
  expect(fitsInPayload("ü".repeat(PAYLOAD_BYTES / 2 + 1))).toBe(false);
});
