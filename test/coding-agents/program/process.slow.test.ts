import { existsSync, readFileSync } from "node:fs";
import { platform } from "node:os";
import { describe, expect, it } from "vitest";
import { killMarked, newMark, type TurnResult } from "../../../src/coding-agents/index.ts";
import type { Step } from "../../support/fake-coding-agent/plan.ts";
import { folderWith } from "../../support/temporary-folder.ts";
import { turn } from "./turns.ts";

const HELLO = { does: "say", text: "Hello." } as const;
const HANG = { does: "hang" } as const;

/** Stops the turn when the agent has said so many texts. */
const stopped = async (steps: readonly Step[], texts = 1): Promise<TurnResult> => {
  const ending = new AbortController();
  let said = 0;
  return turn("claude", steps, {
    signal: ending.signal,
    onSegment: ({ kind }) => {
      said += kind === "text" ? 1 : 0;
      if (said === texts) ending.abort();
    },
  });
};

/** A process that has ended can still have an entry, until its parent asks for its exit code. */
const isAlive = (pid: number): boolean => {
  const [, state = ""] = /\) (\w) /.exec(contentOf(`/proc/${pid}/stat`)) ?? [];
  return state !== "" && state !== "Z";
};

const contentOf = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

const pidIn = ({ segments }: TurnResult): number =>
  Number(/forked (\d+)/.exec(JSON.stringify(segments))?.[1]);

// Only Linux can find a process that has left its group.
const onLinux = it.skipIf(platform() !== "linux");

describe("a turn that does not end", () => {
  it("keeps what was said before its time-out, and is not tried again", async () => {
    const session = { session_id: "s", reported: { input_tokens: 0, output_tokens: 0 } };
    const timeoutMs = 2_000;
    const done = await turn("claude", [HELLO, HANG], { timeoutMs, session });
    expect(done).toMatchObject({ success: false, timed_out: true, exit_code: null });
    expect(done).toMatchObject({ output: "Hello.", error: "it timed out after 2 s" });
    expect(done.attempts).toHaveLength(1);
  });

  it("is ended by SIGKILL if it ignores SIGTERM", async () => {
    const done = await stopped([{ does: "ignore_sigterm" }, HELLO, HANG]);
    expect(done).toMatchObject({ aborted: true, output: "Hello.", error: "it was stopped" });
  });

  onLinux.each(["same", "own"] as const)("leaves no child in its %s group", async (group) => {
    const done = await stopped([{ does: "fork", group }, HELLO, HANG], 2);
    expect(done.aborted).toBe(true);
    expect(pidIn(done)).toBeGreaterThan(0);
    await expect.poll(() => isAlive(pidIn(done))).toBe(false);
  });
});

describe("a turn that ends", () => {
  onLinux.each(["same", "own"] as const)("leaves no child in its %s group", async (group) => {
    const done = await turn("claude", [{ does: "fork", group }, HELLO]);
    expect(done).toMatchObject({ success: true, output: "Hello." });
    await expect.poll(() => isAlive(pidIn(done))).toBe(false);
  });

  it("may write outside of its folder, which only its own sandbox could prevent", async () => {
    const path = `${folderWith()}/outside.txt`;
    const done = await turn("claude", [{ does: "write", path, text: "x" }, HELLO]);
    expect(done.success).toBe(true);
  });
});

describe("a turn that says too much", () => {
  const MEGABYTES = 1024 * 1024;

  it.each(["claude", "text"] as const)(
    "keeps the beginning of a line of 100 MB of %s, in bounded memory",
    async (dialect) => {
      const before = process.memoryUsage().rss;
      let most = before;
      const bytes = 100 * MEGABYTES;
      const timer = setInterval(() => {
        most = Math.max(most, process.memoryUsage().rss);
      }, 5);
      const done = await turn(dialect, [{ does: "print_long", bytes }, HELLO]);
      clearInterval(timer);
      expect(done).toMatchObject({ success: true });
      expect(done.output).toMatch(/Hello\.$/);
      expect(JSON.stringify(done.segments)).toContain(`the line had ${bytes} bytes`);
      expect(JSON.stringify(done.segments).length).toBeLessThan(20_000);
      expect(most - before).toBeLessThan(90 * MEGABYTES);
    },
  );

  it("keeps its last parts, with a note on those that are cut", async () => {
    const long = { does: "say_long", chars: 500_000 } as const;
    const done = await turn("claude", [...Array.from({ length: 12 }, () => long), HELLO]);
    const [first, ...others] = done.segments;
    expect(first).toMatchObject({ kind: "unknown", type: "cut" });
    expect(others.at(-1)).toMatchObject({ text: "Hello." });
    expect(JSON.stringify(others).length).toBeLessThan(4_100_000);
  });
});

it("a mark that is not one of ours ends nothing", () => {
  expect(killMarked("")).toBe(0);
  expect(killMarked("=")).toBe(0);
  expect(killMarked(newMark())).toBe(0);
});
