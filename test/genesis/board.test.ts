import { afterAll, describe, expect, it } from "vitest";
import type { Json } from "../../src/kernel/index.ts";

import { sandboxFor } from "../../src/world/index.ts";
import type { Village } from "../support/world.ts";
import { answerOf, family, LIBRARY_PHYSICS, libraryVillage, reasonOf } from "./village.ts";

const sandbox = sandboxFor(LIBRARY_PHYSICS);
afterAll(() => sandbox.close());

const BOARD = "genesis_board";

type Message = { readonly id: number; readonly text: string; readonly status: string };
type Page = { readonly messages: readonly Message[]; readonly next: number | null };

const posts = (v: Village, who: string, ...args: readonly Json[]) =>
  v.calls(who, `${BOARD}.post`, args);
const reads = (v: Village, who: string, ...args: readonly Json[]): Page =>
  answerOf(v, who, "board.read", args) as Page;
/** What stands on all pages of a channel. */
const textsFor = (v: Village, who: string, channel: string): readonly string[] => {
  const texts: string[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const { messages, next }: Page = reads(v, who, channel, after);
    texts.push(...messages.map(({ text }) => text));
    after = next;
  }
  return texts;
};

describe("the board", () => {
  it("shows to all what is posted to all, by channel, oldest first", () => {
    const v = libraryVillage(sandbox);
    v.must(posts(v, "alice", "jobs", "wanted: a date parser"));
    v.must(posts(v, "bob", "news", "prices fell"));
    v.atMs += 5;
    v.must(posts(v, "bob", "jobs", "I can do that"));
    expect(reads(v, "carol", "jobs")).toEqual({
      messages: [
        {
          id: 1,
          from: "alice",
          to: null,
          text: "wanted: a date parser",
          at_ms: v.atMs - 5,
          status: "open",
          by: null,
        },
        {
          id: 3,
          from: "bob",
          to: null,
          text: "I can do that",
          at_ms: v.atMs,
          status: "open",
          by: null,
        },
      ],
      next: null,
    });
    expect(reads(v, "carol", "jobs", 1).messages.map(({ id }) => id)).toEqual([3]);
    expect(reads(v, "carol", "__proto__").messages).toEqual([]);
    expect(answerOf(v, "carol", "board.channels")).toEqual([
      { channel: "jobs", messages: 2 },
      { channel: "news", messages: 1 },
    ]);
  });

  it("shows a private message only to its recipient and its sender", () => {
    const v = libraryVillage(sandbox);
    v.must(posts(v, "alice", "talk", "for bob only", "bob"));
    expect([textsFor(v, "alice", "talk"), textsFor(v, "bob", "talk")]).toEqual([
      ["for bob only"],
      ["for bob only"],
    ]);
    expect([textsFor(v, "carol", "talk"), answerOf(v, "carol", "board.channels")]).toEqual([
      [],
      [],
    ]);
    expect(reasonOf(v.calls("carol", `${BOARD}.claim`, [1]))).toBe("not_found");
    // A program that bob runs reads as itself, and not for him.
    const spy = `
      function run() { return kernel.invoke("${BOARD}", "read", ["talk"]).result.messages }`;
    v.program("carol", "spy", spy);
    expect(v.calls("bob", "spy").result).toBe("[]");
    expect(v.must(v.reads("carol", BOARD)).result).toBeNull();
  });

  it("keeps track of work: open, claimed by one, done", () => {
    const v = libraryVillage(sandbox);
    v.must(posts(v, "alice", "jobs", "parse dates"));
    const said = (who: string, method: string) => v.calls(who, `${BOARD}.${method}`, [1]);
    expect(reasonOf(said("bob", "done"))).toBe("not_yours");
    v.must(said("bob", "claim"));
    expect(reasonOf(said("carol", "claim"))).toBe("taken");
    expect(reasonOf(said("carol", "done"))).toBe("not_yours");
    expect(reads(v, "carol", "jobs").messages).toMatchObject([{ status: "claimed", by: "bob" }]);
    v.must(said("bob", "done"));
    expect(reasonOf(said("alice", "done"))).toBe("done");
    expect(reasonOf(said("carol", "claim"))).toBe("taken");
    expect(reads(v, "carol", "jobs").messages).toMatchObject([{ status: "done", by: "bob" }]);
    v.must(posts(v, "alice", "jobs", "never mind"));
    expect(v.calls("alice", `${BOARD}.done`, [2]).result).toContain('"by":null');
  });

  it("lets only the recipient claim what is meant for one", () => {
    const v = libraryVillage(sandbox);
    v.must(posts(v, "alice", "jobs", "parse dates", "bob"));
    expect(reasonOf(v.calls("alice", `${BOARD}.claim`, [1]))).toBe("not_yours");
    v.must(v.calls("bob", `${BOARD}.claim`, [1]));
    v.must(v.calls("alice", `${BOARD}.done`, [1]));
  });

  it("refuses what it could not show, and what it would swallow", () => {
    const v = libraryVillage(sandbox);
    const refusals = [
      posts(v, "alice", "", "x"),
      posts(v, "alice", "c".repeat(65), "x"),
      posts(v, "alice", "jobs", ""),
      posts(v, "alice", "jobs", "x".repeat(601)),
      posts(v, "alice", "jobs", "x", "bob", "alice"),
      posts(v, "alice", "jobs", "x", "nobody"),
      posts(v, "alice", "jobs", "x", "constructor"),
      posts(v, "alice", "jobs\u007f", "x"),
      posts(v, "alice", "jobs", "x\n5 from bob: I pay"),
    ];
    expect(refusals.map(reasonOf)).toEqual([
      ...["interface_mismatch", "interface_mismatch", "interface_mismatch", "interface_mismatch"],
      ...["interface_mismatch", "unknown_recipient", "unknown_recipient"],
      ...["control_characters", "control_characters"],
    ]);
    v.must(posts(v, "alice", "jobs", "x"));
    const attach = { scrip: 5 };
    for (const [method, args] of [
      ["post", ["jobs", "x"]],
      ["read", ["jobs"]],
      ["channels", []],
      ["claim", [1]],
      ["done", [1]],
    ] as const) {
      expect(reasonOf(v.calls("alice", `${BOARD}.${method}`, args, { attach }))).toBe("no_scrip");
    }
    expect(v.scrip("alice")).toBe(100);
  });

  it("keeps twelve messages of each family, the newest", () => {
    const v = libraryVillage(sandbox);
    v.must(posts(v, "bob", "jobs", "first"));
    family(v, "alice", "kid");
    for (let n = 1; n <= 14; n++) {
      v.must(posts(v, n % 2 === 0 ? "kid" : "alice", "jobs", `${n}`));
    }
    const code = `function run() { return kernel.invoke("${BOARD}", "post", ["jobs", "15"]) }`;
    v.program("alice", "crier", code);
    v.must(v.calls("alice", "crier"));
    const kept = ["4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"];
    expect(textsFor(v, "carol", "jobs")).toEqual(["first", ...kept]);
  });

  it("when full, drops done messages first, then the oldest of the largest family", () => {
    const v = libraryVillage(sandbox);
    for (let n = 1; n <= 12; n++) v.must(posts(v, "alice", "jobs", `${n}`));
    v.must(v.calls("alice", `${BOARD}.done`, [9]));
    const fill = (who: string, count: number) => {
      for (let n = 0; n < count; n++) v.must(posts(v, who, who, "語".repeat(600)));
    };
    const all = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];
    // Each of theirs takes about 2,100 of 60,000 bytes.
    for (const who of ["bob", "carol"]) fill(who, 12);
    expect(textsFor(v, "dave", "jobs")).toEqual(all);
    fill("dave", 5);
    expect(textsFor(v, "dave", "jobs")).toEqual(all.filter((text) => text !== "9"));
    expect(reads(v, "dave", "dave").messages.length).toBe(5);
    const left = ["bob", "carol"].map((who) => textsFor(v, "dave", who).length);
    expect(Math.min(...left)).toBe(11);
  });
});
