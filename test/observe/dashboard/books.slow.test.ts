import { basename } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { type Dashboard, measureRun } from "../../../src/observe/index.ts";
import { dashboardOf } from "../../support/dashboard.ts";
import { simulate, withJournal } from "../../support/simulation-run.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";

type Books = {
  readonly scores: readonly { readonly seq: number; readonly minted: number }[];
  readonly solved: readonly { readonly solver: string; readonly reward: number }[];
};

const out = sharedFolder();
let folder: string;

beforeAll(async () => {
  folder = (await simulate(out, { sets: ["run.duration_s=300"] })).folder;
});

const booksIn = async (dashboard: Dashboard, at = ""): Promise<Books> => {
  const { origin } = new URL(dashboard.addressOf(null));
  const answer = await fetch(`${origin}/api/runs/${basename(folder)}/books${at}`);
  return JSON.parse(await answer.text());
};

const sum = (amounts: readonly number[]): number => amounts.reduce((a, b) => a + b, 0);

it("lists all scores and solved tasks, which add up to the minted scrip", async () => {
  const { scores, solved } = await booksIn(await dashboardOf(out));
  const { money, trades } = await withJournal(folder, (journal) => measureRun(journal).metrics());
  expect(scores.length).toBeGreaterThan(1);
  expect(sum(scores.map(({ minted }) => minted))).toBe(money.minted_by.mint);
  expect(scores).toEqual(scores.toSorted((a, b) => b.seq - a.seq));
  expect(solved.length).toBe(trades.by_kind.task);
});

it("lists the scores up to a past moment", async () => {
  const dashboard = await dashboardOf(out);
  const { scores } = await booksIn(dashboard);
  const first = scores.at(-1)?.seq ?? 0;
  const then = await booksIn(dashboard, `?at=${first}`);
  expect(then.scores.map(({ seq }) => seq)).toContain(first);
  expect(then.scores.length).toBeLessThan(scores.length);
});
