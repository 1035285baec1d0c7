import { expect, it } from "vitest";
import { thoughtLines } from "../../../src/page/routes/agents.ts";
import { EventIndex } from "../../../src/page/routes/reader/event-index.ts";
import { CallIndex } from "../../../src/page/routes/reader/run-reader.ts";
import { moneyTrail } from "../../../src/read/index.ts";
import type { Journal } from "../../../src/world/index.ts";
import { comes, moves } from "../../support/run-events.ts";
import {
  acts,
  failsToThink,
  type JournalEntry,
  journalOf,
  remembers,
  thinks,
} from "./scripted-journal.ts";

const ann = (prompt: string): JournalEntry => ({ agent: "ann", prompt, servedBy: "a model" });

/** A run that ends with a thought of ann, who gives scrip away. */
const giving = (...before: readonly JournalEntry[]): Journal =>
  journalOf(
    [...comes("ann", 50), ...comes("bob", 0)],
    ...before,
    [thinks("ann", "Bob is poor.")],
    [moves(["ann", "bob"], 5, { reason: "transfer" }), acts("ann")],
  );

/** The thought that led to the gift. */
const thoughtIn = (journal: Journal) => {
  const trail = moneyTrail(journal, { principal: "ann", upTo: null, limit: 1 });
  if (typeof trail === "string") throw new Error(trail);
  const thought = trail.steps[0]?.because.mover?.thought;
  if (thought === undefined || thought === null) throw new Error("ann has thought");
  return thought;
};

it("a thought does not have the model calls of a failed thought before it", async () => {
  const journal = giving(
    ann("the first"),
    [failsToThink("ann")],
    { agent: "bob", prompt: "of another" },
    ann("the second"),
  );
  expect(thoughtIn(journal).calls.map(({ prompt, model }) => [prompt, model])).toEqual([
    ["the second", "a model"],
  ]);
  const reader = { journal, index: new EventIndex(0), calls: new CallIndex(journal) };
  for (const row of journal.events()) reader.index.event({ row });
  const lines = await thoughtLines(reader, { agent: "ann", before: Infinity, limit: 10 });
  const [second, first] = lines.map(({ calls }) => calls.map(({ id }) => id));
  const promptsOf = (ids: readonly number[] = []) =>
    Promise.all(ids.map(async (id) => (await reader.calls.text(id))?.prompt));
  expect(await promptsOf(second)).toEqual(["the second"]);
  expect(await promptsOf(first)).toEqual(["the first"]);
  expect(lines[0]?.calls).toMatchObject([{ model: "a model", ok: true, cost_micros: 20 }]);
});

it("a thought has the memories in its prompts, and no others", () => {
  const journal = giving(
    [remembers("ann", "Bob gave me bread.")],
    [remembers("ann", "")],
    [remembers("ann", "\nIt rains.\nIt pours.")],
    [remembers("ann", "The sun shines.\nIt is warm.")],
    ann("It is Monday. You remember: Bob gave me bread. The sun shines. It is warm."),
  );
  expect(thoughtIn(journal).memories.map(({ text }) => text)).toEqual([
    "The sun shines.\nIt is warm.",
    "Bob gave me bread.",
  ]);
});
