import { beforeAll, describe, expect, it } from "vitest";
import { type Followed, follow, pageText, stepsIn } from "../support/page-steps.ts";
import { CHANGING, ENDLESS, FAILING, REFUSED, UNUSABLE } from "./mind-faults.ts";

const PAGE = pageText("agents.md", "Minds of your own");
const STEPS = stepsIn(PAGE);
let followed: Followed;

beforeAll(async () => {
  followed = await follow(STEPS);
});

describe("the page on minds of your own", () => {
  it("has commands that exit as documented", () => {
    expect(STEPS.filter(({ does }) => does === "types").length).toBeGreaterThan(10);
    expect(followed.problems).toEqual([]);
  });

  it("leads to a saver that keeps its scrip", () => {
    const thoughts = followed.saidBy("sim events saver").out;
    expect(thoughts).toContain("I have 100 scrip and keep them");
  });

  it("leads to a market maker that sells and buys", () => {
    const { out } = followed.saidBy("sim run --duration 300");
    const [, sold, bought] = /^max\t\w+\t\d+\t\d+\t\d+\t(\d+)\t(\d+)\t/m.exec(out) ?? [];
    expect(Number(sold)).toBeGreaterThan(0);
    expect(Number(bought)).toBeGreaterThan(0);
  });

  it("shows the printed problem of the mistake", () => {
    const shown = STEPS.flatMap((step) => (step.does === "reads" ? [step.text] : []));
    expect(shown).toHaveLength(1);
    expect(followed.said.map(([, { out }]) => out)).toEqual(expect.arrayContaining(shown));
  });

  it("explains only messages that exist", () => {
    const [, part = ""] = PAGE.split("### Find mistakes");
    const messages = [...part.matchAll(/^\| (`.+?) \| /gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/``(.+?)``|`([^`]+)`/g)].map(([, twice, once]) =>
        (twice ?? once ?? "").trim(),
      ),
    );
    expect(messages.length).toBeGreaterThan(25);
    const said = [...UNUSABLE, ...FAILING, ...CHANGING].map(([, reason]) => reason);
    const known = [...said, ENDLESS.decide, ENDLESS.outside, REFUSED];
    for (const message of messages) {
      const parts = message.split("…");
      const found = known.some((each) => parts.every((words) => each.includes(words.trim())));
      expect([message, found]).toEqual([message, true]);
    }
  });
});
