import { beforeAll, expect, it } from "vitest";
import { type Followed, follow, pageText, stepsIn } from "../support/page-steps.ts";

const PAGE = pageText("report.md", "Moments: the life of an agent");
const STEPS = stepsIn(PAGE);
let followed: Followed;

beforeAll(async () => {
  followed = await follow(STEPS);
});

it("the page on moments has commands that exit as documented", () => {
  expect(STEPS.filter(({ does }) => does === "types")).toHaveLength(3);
  expect(followed.problems).toEqual([]);
});

it("the page on moments shows what its example prints", () => {
  const [, names = "", shown = ""] =
    /<!-- columns: (.+) -->\n```text\n([\s\S]*?)```/.exec(PAGE) ?? [];
  const columns = names.split(", ");
  const [head = [], ...rows] = followed
    .saidBy("sim moments life --about")
    .out.trim()
    .split("\n")
    .map((line) => line.split("\t"));
  const printed = rows.map((row) => columns.map((name) => row[head.indexOf(name)]));
  const documented = shown.trim().split("\n");
  expect(printed).toEqual(documented.map((line) => line.split(/ {2,}/)));
  expect(printed.length).toBe(4);
});

it("the page on moments describes each field of a moment", () => {
  const [moment] = JSON.parse(followed.saidBy("sim moments life bob").out).moments;
  const rows = [...PAGE.matchAll(/^\| (`.+?`(?:, `.+?`)*) \| /gm)].flatMap(([, cells = ""]) =>
    [...cells.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect(Object.keys(moment).length).toBeGreaterThan(20);
  for (const field of Object.keys(moment)) expect(rows).toContain(field);
});
