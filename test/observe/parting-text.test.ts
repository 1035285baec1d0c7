import { describe, expect, it } from "vitest";
import { type Comparison, partingText } from "../../src/observe/index.ts";

type Parting = Comparison["partings"][number];

const LIKE: Parting = {
  run: "two",
  related: true,
  alike: 7,
  events: null,
  amended: [0, 0],
  shift: 0,
};

const EVENT = { seq: 12, at_ms: 1_500, kind: "scrip_minted", principal: null };

describe("where two runs part", () => {
  it.each<readonly [string, Partial<Parting>, string]>([
    ["not at all", { related: false }, "two is one, event for event (7 alike from the beginning)"],
    [
      "in their physics alone",
      { amended: [0, 1] },
      "two has other physics and does as one, event for event (7 alike since their common past)",
    ],
    [
      "where one ends",
      { events: [EVENT, null] },
      "two parts from one after 7 events since their common past: " +
        "one has event 12 at 1.5 s, scrip_minted (-); two has the end",
    ],
    [
      "at one place under two numbers",
      { events: [EVENT, { ...EVENT, seq: 14, principal: "ada" }], shift: 2 },
      "two parts from one after 7 events since their common past: " +
        "one has event 12 at 1.5 s, scrip_minted (-); " +
        "two has event 14 at 1.5 s, scrip_minted (ada) " +
        "(the same place: 2 more notes and amendments are numbered there)",
    ],
  ])("is said: %s", (_where, how, text) => {
    expect(partingText({ ...LIKE, ...how }, "one")).toBe(text);
  });
});
