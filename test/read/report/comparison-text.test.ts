import { expect, it } from "vitest";
import { type Comparison, differingEventLines, divergenceText } from "../../../src/read/index.ts";

type Divergence = Comparison["divergences"][number];

const LIKE: Divergence = {
  run: "two",
  related: true,
  alike: 7,
  events: null,
  amended: [0, 0],
  same_physics: true,
  shift: 0,
  figures_differ: 0,
  wealth_differs: 0,
};

const EVENT = { seq: 12, at_ms: 1_500, kind: "scrip_minted", principal: null, body: { amount: 3 } };

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
    { amended: [0, 1], same_physics: false },
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

const LONG = "x".repeat(200);

it.each<readonly [string, Partial<Divergence>, readonly string[]]>([
  ["none", {}, []],
  ["no shared past", { related: false, events: [EVENT, null] }, []],
  ["one run ends earlier", { events: [EVENT, null] }, ['  one: {"amount":3}']],
  [
    "the same kind",
    { events: [EVENT, { ...EVENT, principal: "ada", body: { amount: 4, to: "ada" } }] },
    [
      '  one: {"amount":3}',
      '  two: {"amount":4,"to":"ada"}',
      '  they differ in principal (null and "ada"), amount (3 and 4), to (none and "ada")',
    ],
  ],
  [
    "two kinds",
    { events: [EVENT, { ...EVENT, at_ms: 1_600, kind: "scrip_burned", body: { amount: 4 } }] },
    [
      '  one: {"amount":3}',
      '  two: {"amount":4}',
      '  they differ in kind ("scrip_minted" and "scrip_burned"), at_ms (1500 and 1600)',
    ],
  ],
])("the first differing events of two runs: %s", (_where, how, lines) => {
  expect(differingEventLines({ ...LIKE, ...how }, "one")).toEqual(lines);
});

it("the excerpts of long fields show the first difference", () => {
  const [mine, theirs] = ["a", "b"].map((letter) => ({
    ...EVENT,
    body: { text: `${LONG}${letter}${LONG}` },
  }));
  const events = [mine ?? EVENT, theirs ?? EVENT] as const;
  const lines = differingEventLines({ ...LIKE, events }, "one");
  const fields = lines[2]?.match(/text \((….{59}) and (….{59})\)/);
  expect([fields?.[1]?.includes("xax"), fields?.[2]?.includes("xbx")]).toEqual([true, true]);
});
