import { expect, it } from "vitest";
import { graphOf, readAgentHistories, shownMoments } from "../../../src/read/index.ts";
import { comes, writes } from "../../support/run-events.ts";
import { acts, journalOf, thinks } from "../trail/scripted-journal.ts";

const graph = () => {
  const journal = journalOf(
    [...comes("ann", 50)],
    [thinks("ann", "A <shop> & more", { write_artifact: { artifact_id: "shop" } })],
    [writes("ann", "shop"), acts("ann", "write_artifact")],
    [acts("ann")],
  );
  const histories = readAgentHistories(journal);
  const upTo = Number.MAX_SAFE_INTEGER;
  return graphOf(shownMoments(journal, histories, histories.all, upTo));
};

it("has five kinds of node, and links that differ by both ends and the verb", () => {
  const { nodes, links } = graph();
  const [first, second] = nodes.filter(({ label }) => label === "Moment").map(({ id }) => id);
  expect(links).toEqual([
    { from: "AGENT_ann", verb: "creates", to: first },
    { from: "SPACE_ann_workspace", verb: "includes", to: first },
    { from: first, verb: "about", to: "THING_shop" },
    { from: first, verb: "creates", to: "THING_shop" },
    { from: first, verb: "precedes", to: second },
    { from: "AGENT_ann", verb: "creates", to: second },
    { from: "SPACE_ann_workspace", verb: "includes", to: second },
  ]);
  const ids = new Set(nodes.map(({ id }) => id));
  for (const { from, to } of links) expect(ids.has(from) && ids.has(to)).toBe(true);
});
