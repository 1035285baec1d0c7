import fc from "fast-check";
import { expect, it } from "vitest";
import { graphmlLines, graphOf, readLives, shownMoments } from "../../../src/observe/index.ts";
import { xmlText } from "../../../src/observe/moments/graphml.ts";
import { comes, writes } from "../../support/run-events.ts";
import { acts, journalOf, thinks } from "../trail/scripted-journal.ts";

const graph = () => {
  const journal = journalOf(
    [...comes("ann", 50)],
    [thinks("ann", "A <shop> & more", { write_artifact: { artifact_id: "shop" } })],
    [writes("ann", "shop"), acts("ann", "write_artifact")],
    [acts("ann")],
  );
  const lives = readLives(journal);
  const upTo = Number.MAX_SAFE_INTEGER;
  return graphOf(shownMoments(journal, lives, { moments: lives.all, upTo }));
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

it("is XML, whatever agents have written", () => {
  const text = [...graphmlLines(graph())].join("\n");
  expect(text).toContain("💭 A &lt;shop&gt; &amp; more");
  expect(text.match(/<node /g)?.length).toBe(graph().nodes.length);
  expect(text.match(/<edge /g)?.length).toBe(graph().links.length);
});

it("escapes each text so that a reader gets it back, except what XML cannot contain", () => {
  const marks = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#13": "\r" };
  const unescaped = (text: string): string =>
    text.replace(
      /&([^;]+);/g,
      (_, name) => Object.entries(marks).find(([n]) => n === name)?.[1] ?? "",
    );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const written = xmlText(text);
      expect(written).not.toMatch(/[<>"'\r]|&(?!(?:amp|lt|gt|quot|apos|#13);)/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot contain
      const unfit = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
      expect(written).not.toMatch(unfit);
      expect(unescaped(written)).toBe(text.toWellFormed().replace(unfit, "\ufffd"));
    }),
  );
});
