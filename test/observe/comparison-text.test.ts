import { expect, it } from "vitest";
import { type Comparison, divergenceText } from "../../src/observe/index.ts";

type Divergence = Comparison["divergences"][number];

const LIKE: Divergence = {
  run: "two",
  related: true,
  alike: 7,
  events: null,
  amended: [0, 0],
  shift: 0,
  figures_differ: 0,
  wealth_differs: 0,
};

const EVENT = { seq: 12, at_ms: 1_500, kind: "scrip_minted", principal: null };

it.each<readonly [string, Partial<Divergence>, string]>([
  ["none", { related: false }, "two has the same events as one (7 from the start)"],
  [
    "no shared past",
    { related: false, events: [EVENT, null], figures_differ: 9, wealth_differs: 1 },
    "two and one share no past, so only figures are compared: " +
      "9 figures and the wealth of 1 agent differ",
  ],
  [
    "only the physics",
    { amended: [0, 1] },
    "two has other physics but the same events as one (7 since their shared past)",
  ],
  [
    "one run ends earlier",
    { events: [EVENT, null] },
    "two diverges from one after 7 equal events since their shared past: " +
      "one has event 12 at 1.5 s, scrip_minted (-); two has no more events",
  ],
  [
    "the same place with two event numbers",
    { events: [EVENT, { ...EVENT, seq: 14, principal: "ada" }], shift: 2 },
    "two diverges from one after 7 equal events since their shared past: " +
      "one has event 12 at 1.5 s, scrip_minted (-); " +
      "two has event 14 at 1.5 s, scrip_minted (ada) " +
      "(the event numbers differ: 2 more notes and amendments come before this event)",
  ],
])("the divergence of two runs in words: %s", (_where, how, text) => {
  expect(divergenceText({ ...LIKE, ...how }, "one")).toBe(text);
});
