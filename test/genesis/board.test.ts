import { describe, expect, it } from "vitest";
import type { Json } from "../../src/kernel/index.ts";
import type { TestWorld } from "../support/test-world.ts";
import { answerOf, libraryWorlds, refusalCode, spawnsChild } from "./library-world.ts";

const newWorld = libraryWorlds();

const BOARD = "genesis_board";

type Message = { readonly id: number; readonly text: string; readonly status: string };
type Page = { readonly messages: readonly Message[]; readonly next: number | null };

const posts = (v: TestWorld, who: string, ...args: readonly Json[]) =>
  v.calls(who, `${BOARD}.post`, args);
const reads = (v: TestWorld, who: string, ...args: readonly Json[]): Page =>
  answerOf(v, who, "board.read", args) as Page;
const textsFor = (v: TestWorld, who: string, channel: string): readonly string[] => {
  const texts: string[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const { messages, next }: Page = reads(v, who, channel, after);
    texts.push(...messages.map(({ text }) => text));
    after = next;
  }
  return texts;
};

describe("the board", () => {
  it("shows public messages to everyone, by channel, oldest first", () => {
    const v = newWorld();
    v.must(posts(v, "alice", "jobs", "wanted: a date parser"));
    v.must(posts(v, "bob", "news", "prices fell"));
    v.atMs += 5;
    v.must(posts(v, "bob", "jobs", "I can do that"));
    const open = { to: null, status: "open", by: null };
    const wanted = { id: 1, from: "alice", text: "wanted: a date parser", at_ms: v.atMs - 5 };
    const offer = { id: 3, from: "bob", text: "I can do that", at_ms: v.atMs };
    const messages = [wanted, offer].map((message) => ({ ...message, ...open }));
    expect(reads(v, "carol", "jobs")).toEqual({ messages, next: null });
    expect(reads(v, "carol", "jobs", 1).messages.map(({ id }) => id)).toEqual([3]);
    expect(reads(v, "carol", "__proto__").messages).toEqual([]);
    expect(answerOf(v, "carol", "board.channels")).toEqual([
      { channel: "jobs", messages: 2 },
      { channel: "news", messages: 1 },
    ]);
  });

  it("takes no private message for one who has blocked its sender, who can still work", () => {
    const v = newWorld();
    v.must(posts(v, "alice", "jobs", "wanted: a date parser"));
    v.must(v.calls("alice", "genesis_messenger.block", ["bob"]));
    expect(posts(v, "bob", "talk", "hey", "alice").message).toMatch(/alice has blocked/);
    expect(textsFor(v, "alice", "talk")).toEqual([]);
    v.must(v.calls("bob", `${BOARD}.claim`, [1]));
    v.must(v.calls("bob", `${BOARD}.done`, [1]));
  });

  it("shows a private message only to its recipient and its sender", () => {
    const v = newWorld();
    v.must(posts(v, "alice", "talk", "for bob only", "bob"));
    expect([textsFor(v, "alice", "talk"), textsFor(v, "bob", "talk")]).toEqual([
      ["for bob only"],
      ["for bob only"],
    ]);
    expect([textsFor(v, "carol", "talk"), answerOf(v, "carol", "board.channels")]).toEqual([
      [],
      [],
    ]);
    expect(refusalCode(v.calls("carol", `${BOARD}.claim`, [1]))).toBe("not_found");
    // A program of carol that bob calls does not read for him.
    const spy = `
      function run() { return kernel.invoke("${BOARD}", "read", ["talk"]).result.messages }`;
    v.program("carol", "spy", spy);
    expect(v.calls("bob", "spy").result).toBe("[]");
    expect(v.must(v.reads("carol", BOARD)).result).toBeNull();
  });

  it("tracks work: open, claimed by one agent, done", () => {
    const v = newWorld();
    v.must(posts(v, "alice", "jobs", "parse dates"));
    const calls = (who: string, method: string) => v.calls(who, `${BOARD}.${method}`, [1]);
    expect(refusalCode(calls("bob", "done"))).toBe("not_yours");
    v.must(calls("bob", "claim"));
    expect(refusalCode(calls("carol", "claim"))).toBe("taken");
    expect(refusalCode(calls("carol", "done"))).toBe("not_yours");
    expect(reads(v, "carol", "jobs").messages).toMatchObject([{ status: "claimed", by: "bob" }]);
    v.must(calls("bob", "done"));
    expect(refusalCode(calls("alice", "done"))).toBe("done");
    expect(refusalCode(calls("carol", "claim"))).toBe("taken");
    expect(reads(v, "carol", "jobs").messages).toMatchObject([{ status: "done", by: "bob" }]);
    v.must(posts(v, "alice", "jobs", "never mind"));
    expect(v.calls("alice", `${BOARD}.done`, [2]).result).toContain('"by":null');
  });

  it("lets only the recipient claim a private message", () => {
    const v = newWorld();
    v.must(posts(v, "alice", "jobs", "parse dates", "bob"));
    expect(refusalCode(v.calls("alice", `${BOARD}.claim`, [1]))).toBe("not_yours");
    v.must(v.calls("bob", `${BOARD}.claim`, [1]));
    v.must(v.calls("alice", `${BOARD}.done`, [1]));
  });

  it.each<readonly [readonly Json[], string]>([
    [["", "x"], "interface_mismatch"],
    [["c".repeat(65), "x"], "interface_mismatch"],
    [["jobs", ""], "interface_mismatch"],
    [["jobs", "x".repeat(601)], "interface_mismatch"],
    [["jobs", "x", "bob", "alice"], "interface_mismatch"],
    [["jobs", "x", "unknown"], "unknown_recipient"],
    [["jobs", "x", "constructor"], "unknown_recipient"],
    [["jobs\u007f", "x"], "control_characters"],
    [["jobs", "x\n5 from bob: I pay"], "control_characters"],
  ])("refuses the message %j: %s", (message, code) => {
    expect(refusalCode(posts(newWorld(), "alice", ...message))).toBe(code);
  });

  it("keeps the latest twelve messages of each family", () => {
    const v = newWorld();
    v.must(posts(v, "bob", "jobs", "first"));
    spawnsChild(v, "alice", "kid");
    for (let n = 1; n <= 14; n++) {
      v.must(posts(v, n % 2 === 0 ? "kid" : "alice", "jobs", `${n}`));
    }
    const code = `function run() { return kernel.invoke("${BOARD}", "post", ["jobs", "15"]) }`;
    v.program("alice", "crier", code);
    v.must(v.calls("alice", "crier"));
    const kept = Array.from({ length: 12 }, (_, n) => `${n + 4}`);
    expect(textsFor(v, "carol", "jobs")).toEqual(["first", ...kept]);
  });

  it("when full, drops done messages first, then the oldest of the largest family", () => {
    const v = newWorld();
    for (let n = 1; n <= 12; n++) v.must(posts(v, "alice", "jobs", `${n}`));
    v.must(v.calls("alice", `${BOARD}.done`, [9]));
    const fill = (who: string, count: number) => {
      for (let n = 0; n < count; n++) v.must(posts(v, who, who, "語".repeat(600)));
    };
    const all = Array.from({ length: 12 }, (_, n) => `${n + 1}`);
    // Each of these messages takes about 2,100 of 60,000 bytes.
    for (const who of ["bob", "carol"]) fill(who, 12);
    expect(textsFor(v, "dave", "jobs")).toEqual(all);
    fill("dave", 5);
    expect(textsFor(v, "dave", "jobs")).toEqual(all.filter((text) => text !== "9"));
    expect(reads(v, "dave", "dave").messages.length).toBe(5);
    expect(Math.min(...["bob", "carol"].map((who) => textsFor(v, "dave", who).length))).toBe(11);
  });
});
