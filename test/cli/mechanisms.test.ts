import { describe, it } from "vitest";
import { labWith } from "../support/mechanism-lab.ts";
import { sim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

describe("the mechanisms of a configuration", () => {
  it.each([
    [
      "m: { file: mechanisms/order-bok.js }",
      /config.yaml:4:\d+: `mechanisms.m.file`: .*order-bok.js cannot be read.*docs\/mechanisms.md/,
    ],
    [
      "m: { file: mechanisms/order-book.js }",
      /:4:\d+: `mechanisms.m`: `good` is missing; the id of/,
    ],
    [
      "m: { file: mechanisms/order-book.js, settings: { god: wheat, good: wheat } }",
      /:4:\d+: `mechanisms.m.settings.god`: `god` is not a setting.*did you mean `good`\?/,
    ],
    [
      "m: { file: mechanisms/order-book.js, settings: { good: wheta } }",
      /:4:\d+: `mechanisms.m.settings.good`: there is no mechanism `wheta`; did you mean `wheat`\?/,
    ],
    [
      "m: { file: mechanisms/call-market.js, settings: { good: wheat, period_s: 0 } }",
      /:4:\d+: `mechanisms.m.settings.period_s`: `period_s` must be at least 1/,
    ],
    ["m: { file: mechanisms/vickrey.js, owner: eve }", /:4:\d+: .*there is no agent `eve`/],
    [
      "ada: { file: mechanisms/vickrey.js }",
      /:4:\d+: `mechanisms.ada`: an agent or its memory has this id/,
    ],
    ["m: { file: mechanisms/vickrey.js, fee: 3 }", /:4:\d+: unknown key `mechanisms.m.fee`/],
    ["genesis_m: { file: mechanisms/vickrey.js }", /:4:\d+: .*these names are reserved/],
    ["a.b: { file: mechanisms/vickrey.js }", /:4:\d+: .*must not have a dot/],
    [
      "ada_memory: { file: mechanisms/vickrey.js }",
      /`mechanisms.ada_memory`: an agent or its memory has this id/,
    ],
  ])("are refused if they are wrong: %s", (entry, problem) => {
    expectRefusal(sim(labWith(`  ${entry}\n`), "run"), 2, problem);
  });
});

describe("a scheduled mechanism", () => {
  const planned = (install: string): string =>
    labWith(`schedule:\n  - { at: 2s, install: { id: m, ${install} } }\n`);

  it.each([
    ["file: mechanisms/order-book.js", /:5:\d+: `good` is missing/],
    ["file: mechanisms/vickrey.js, settings: { fee: 3 }", /`fee` is not a setting.*it has none/],
    ["file: config.yaml, settings: { fee: 3 }", /:5:\d+: only programs, such as \*.js, have/],
    ["file: mechanisms/vickrey.js, has_standing: false", /has_standing. must be true/],
  ])("is refused before the run if it is wrong: %s", (install, problem) => {
    expectRefusal(sim(planned(install), "run"), 2, problem);
  });
});
