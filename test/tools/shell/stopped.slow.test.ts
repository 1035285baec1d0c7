import { expect, it } from "vitest";
import { AgentShell } from "../../../src/tools/shell/agent-shell.ts";
import { scriptsIn } from "./scripts.ts";

const STOPPED = { ok: false, problem: "the command took too long or needed too much memory" };

/** Many replacements in a long text: each limit holds, but not their product. */
const SLOW = `x=$(printf '%200000s' a); for i in {1..2500}; do y=\${x//a/b}; done`;
const LARGE = "x=$(printf '%200000s' x); for i in {1..2900}; do a[$i]=$x$i; done";

const shell = new AgentShell(500);
const { run, printed } = scriptsIn(shell);

it("a script that takes too long is stopped, and the next thought has a shell", async () => {
  expect(await run(SLOW)).toEqual(STOPPED);
  expect(await printed("echo here")).toBe("here\n");
});

it("a script that needs too much memory is stopped", async () => {
  const patient = new AgentShell();
  const ended = await patient.forThought()({ text: LARGE, files: new Map(), nowMs: 0 });
  await patient.close();
  expect(ended).toEqual(STOPPED);
});

it("after a script that was stopped, the thought runs no others", async () => {
  const inThought = shell.forThought();
  const script = { files: new Map(), nowMs: 0 };
  await inThought({ ...script, text: SLOW });
  expect(await inThought({ ...script, text: "echo here" })).toEqual({
    ok: false,
    problem: "not run, because an earlier command of this step was stopped",
  });
});

it("a closed shell runs nothing, and says so", async () => {
  const closed = new AgentShell();
  await closed.close();
  const outcome = await closed.forThought()({ text: "ls", files: new Map(), nowMs: 0 });
  expect(outcome).toEqual({ ok: false, problem: "the shell thread is closed" });
});

it("a deep expression has the same result in a new thread and in a used one", async () => {
  const sum = (terms: number): string => `echo $((1${"+1".repeat(terms)}))`;
  const fields = "$".repeat(9_000);
  const deep = `x=${"+1".repeat(9_000)}; echo $((1$x)); awk 'BEGIN { print ${fields}0 }'`;
  const [fresh, used] = [new AgentShell(), new AgentShell()];
  const of = (one: AgentShell, text: string) =>
    one.forThought()({ text, files: new Map(), nowMs: 0 });
  for (let time = 0; time < 60; time += 1) await of(used, sum(800));
  const [first, second] = [await of(fresh, deep), await of(used, deep)];
  await Promise.all([fresh.close(), used.close()]);
  expect(first).toMatchObject({ stdout: expect.stringMatching(/^9001\n/) });
  expect(second).toEqual(first);
});
