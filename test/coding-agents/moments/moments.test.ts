import { describe, expect, it } from "vitest";
import {
  type MomentNode,
  type MomentRecord,
  momentVerb,
  NodeNames,
  type Segment,
  termOf,
  WorkMoments,
} from "../../../src/coding-agents/index.ts";
import type { JsonObject } from "../../../src/kernel/index.ts";

describe("the verb of a moment", () => {
  it.each([
    ["There is a bug in the parser", [], "Debugging"],
    ["An error, found late", [], "Debugging"],
    ["I debug the prefix; no errors at all", [], "Working"],
    ["We found it", ["Edit"], "Discovering"],
    ["discovered a cave", [], "Discovering"],
    ["Refactoring the parser", ["Read"], "Refactoring"],
    ["I look", ["Read", "Grep", "Glob"], "Exploring"],
    ["I look", ["Read", "Read", "Edit"], "Working"],
    ["I look", ["Read", "Read", "Read", "Edit"], "Exploring"],
    ["I write", ["Edit", "Write", "Read"], "Building"],
    ["I look", ["grep_search"], "Exploring"],
    ["I write", ["file_change"], "Building"],
    ["I run", ["Bash"], "Working"],
    ["I talk", [], "Working"],
  ])("%j with the tools %j is %s", (prose, tools, verb) => {
    expect(momentVerb(prose, tools)).toBe(verb);
  });
});

describe("salient terms", () => {
  it.each([
    ["agent-graph.test.ts", "AgentGraph"],
    ["src/x/parser.ts", "SrcParser"],
    ["MAIN", "Main"],
    ["a_b", null],
    ["an-extraordinarily-long-name", null],
  ])("make of %j the word %j", (name, term) => {
    expect(termOf(name)).toBe(term);
  });

  const termsOf = (prose: string, names: readonly string[]): readonly string[] => {
    const known = new NodeNames();
    for (const name of names) known.add(name);
    return known.termsFor(prose);
  };

  it("are at most four names, the nearest first", () => {
    const prose =
      "The parser reads tokens. The parser fails. The lexer gives a tree to the linter.";
    const words = ["parser", "lexer", "tokens", "tree", "linter"];
    const terms = termsOf(prose, ["garden", ...words, "piano", "parser", "ocean"]);
    expect(terms).toHaveLength(4);
    expect(terms[0]).toBe("Parser");
    expect(["Parser", "Lexer", "Tokens", "Tree", "Linter"]).toEqual(
      expect.arrayContaining([...terms]),
    );
  });

  it("are without names that are much less similar than the best one", () => {
    const prose = "does ada_outliers_1 do what its example says? ada_outliers_1 returned 4";
    const names = ["ada", "ada_outliers_1", "ada_outliers_2", "ada_histogram_3", "boole_wrap_2"];
    expect(termsOf(prose, names)).toEqual(["AdaOutliers"]);
  });

  it("give no place to a name that has no term", () => {
    const long = [1, 2, 3, 4].map((number) => `extraordinary_tokens_${number}`);
    expect(termsOf("extraordinary tokens", [...long, "tokens"])).toEqual(["Tokens"]);
  });

  it("look at the first 2,000 characters", () => {
    const prose = (spaces: number) => `What is it?${" ".repeat(spaces)}parser`;
    expect(termsOf(prose(1_983), ["parser"])).toEqual(["Parser"]);
    expect(termsOf(prose(2_000), ["parser"])).toEqual([]);
  });

  it("do not exist for a short text, or without names", () => {
    expect(termsOf(" p a r s e r ", ["parser"])).toEqual([]);
    expect(termsOf("parser of", ["parser"])).toEqual([]);
    expect(termsOf("a long enough text", [])).toEqual([]);
  });
});

const nodesIn = (records: readonly MomentRecord[]): readonly MomentNode[] =>
  records.flatMap((each) => ("node" in each ? [each.node] : []));
const linksIn = (records: readonly MomentRecord[]) =>
  records.flatMap((each) => ("link" in each ? [each.link] : []));

const now = (): Date => new Date(0);

const told = (segments: readonly Segment[], more = {}) => {
  const parts = { actorId: "ada", folder: "/work/shop", sequence: 3, previous: "WORK_last" };
  const moments = new WorkMoments({ ...parts, now });
  const done = { success: true, error: null, output: "", segments, duration_ms: 12_345, ...more };
  return { moments, done };
};

const say = (text: string): Segment => ({ kind: "text", text });
const read = (file_path: string): Segment => {
  return { kind: "tool_use", id: "1", tool: "Read", input: { file_path } };
};

describe("the moments of a task", () => {
  it("have a name, an id and links", () => {
    const parts = { actorId: "AGENT_Witness", folder: "/x/graph", sequence: 7, now };
    const assignedAfter = (previous: string | null) =>
      new WorkMoments({ ...parts, previous }).assigned("Draw the graph.");
    const records = assignedAfter("WORK_before");
    const node = nodesIn(records).find(({ label }) => label === "Moment");
    const id = node?.id;
    expect(node).toMatchObject({
      name: "Working_Graph",
      synthesis: "Agent Witness assigned to: Draw the graph.",
    });
    expect(id).toMatch(/^WORK_Witness_Working_Graph_[0-9a-f]{12}$/);
    expect(linksIn(records)).toEqual([
      { from: "AGENT_Witness", verb: "creates", to: id },
      { from: "WORK_before", verb: "precedes", to: id },
      { from: "SPACE_/x/graph", verb: "includes", to: id },
    ]);
    expect(linksIn(assignedAfter(null)).map(({ verb }) => verb)).toEqual(["creates", "includes"]);
  });

  it("have ids of their own, also in the same second with the same text", () => {
    const idOf = (change: object): string | undefined => {
      const parts = { actorId: "ada", folder: "/x", sequence: 7, previous: null, now, ...change };
      return nodesIn(new WorkMoments(parts).assigned("Look.")).at(-1)?.id;
    };
    const ids = [{}, { sequence: 8 }, { actorId: "bob" }, { now: () => new Date(1) }].map(idOf);
    expect(new Set(ids).size).toBe(4);
    expect(idOf({})).toBe(ids[0]);
  });

  it("are its assignment, its batches and its end, one after the other", () => {
    const words = ["one", "two", "three", "four", "five"].map(say);
    const unknown: Segment = { kind: "unknown", type: "x", text: "{}" };
    const { moments, done } = told([unknown, ...words, read("/work/shop/till.ts")]);
    const records = [...moments.assigned("Sell bread."), ...moments.ended(done)];
    const chain = nodesIn(records).filter(({ label }) => label === "Moment");
    expect(chain).toMatchObject([
      { type: "ASSIGNMENT", synthesis: "Agent ada assigned to: Sell bread." },
      { type: "CONVERSATION", batch_index: 0, turn_count: 5 },
      { type: "CONVERSATION", batch_index: 1, turn_count: 1 },
      { type: "COMPLETION", synthesis: "Agent ada completed after 2 batches" },
    ]);
    expect(chain.at(-1)).toMatchObject({
      ...{ status: "completed", duration_seconds: 12.35, total_turns: 6 },
    });
    expect(chain.at(-1)).not.toHaveProperty("output_preview");
    const before = ["WORK_last", ...chain.map(({ id }) => id)];
    const precedes = linksIn(records).filter(({ verb }) => verb === "precedes");
    expect(precedes.map(({ from, to }) => [from, to])).toEqual(
      chain.map(({ id }, at) => [before[at], id]),
    );
    expect(moments.place).toEqual({ sequence: 7, previous: chain.at(-1)?.id });
    const about = linksIn(records).filter(({ verb }) => verb === "about");
    expect(about).toEqual([{ from: chain[2]?.id, verb: "about", to: "THING_/work/shop/till.ts" }]);
    const others = nodesIn(records).filter(({ label }) => label !== "Moment");
    expect(others.map(({ label, name }) => [label, name])).toEqual([
      ["Actor", "ada"],
      ["Space", "shop"],
      ["Thing", "till.ts"],
    ]);
  });

  it("are about the files of each provider's tools, each once", () => {
    const use = (input: JsonObject): Segment => ({ kind: "tool_use", id: "", tool: "", input });
    const { moments, done } = told([
      use({ file_path: "a.ts" }),
      use({ changes: [{ path: "b.ts" }, { path: "a.ts" }] }),
      use({ absolute_path: "/c.ts" }),
      use({ path: 3 }),
    ]);
    const things = nodesIn(moments.ended(done)).filter(({ label }) => label === "Thing");
    expect(things.map(({ id }) => id)).toEqual(["THING_a.ts", "THING_b.ts", "THING_/c.ts"]);
  });

  it("have terms that are the names of files, by the rule of the moments of a run", () => {
    const { moments, done } = told([read("/work/shop/till.ts"), read("/work/shop/bread.ts")]);
    const [first] = nodesIn(moments.ended(done)).filter(({ label }) => label === "Moment");
    const names = new NodeNames();
    for (const name of ["shop", "till.ts", "bread.ts"]) names.add(name);
    const terms = names.termsFor(first?.synthesis ?? "");
    expect(terms).toContain("TillTs");
    expect(first?.name).toBe(["Exploring", ...terms].join("_"));
  });

  it("have the reason of a failure, cut to 200 characters", () => {
    const { moments, done } = told([], { success: false, error: "e".repeat(300) });
    const [node] = nodesIn(moments.ended(done));
    expect(node).toMatchObject({ status: "failed", error: "e".repeat(200), total_turns: 0 });
    expect(node?.synthesis).toBe("Agent ada failed after 0 batches");
    expect(node?.name).toBe("Working_Completion");
  });

  it("have the beginning of an output without a conversation", () => {
    const { moments, done } = told([], { output: "o".repeat(600) });
    const records = moments.ended(done);
    expect(nodesIn(records)).toMatchObject([
      { type: "COMPLETION", output_preview: `${"o".repeat(500)}...`, output_length: 600 },
    ]);
  });
});
