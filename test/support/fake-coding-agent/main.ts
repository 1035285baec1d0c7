/** A coding agent without a model: `main.ts PLAN ARGUMENTS…`. It does what its plan says. */
import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { DIALECTS, plainText } from "./dialects.ts";
import type { Plan, Step } from "./plan.ts";

const [text = "{}", ...args] = process.argv.slice(2);
const plan: Plan = JSON.parse(text);
const lines = plan.dialect === "text" ? null : DIALECTS[plan.dialect];

// The version is asked for without a prompt.
if (args.includes("--version")) {
  console.log("1.2.3 (fake)");
  process.exit();
}

const prompt = readFileSync(0, "utf8");

const write = (text: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => process.stdout.write(text, () => resolve()));

const say = async (messages: readonly object[]): Promise<void> => {
  for (const message of messages) await write(`${JSON.stringify(message)}\n`);
};

const CHUNK = Buffer.alloc(64 * 1024, "x");

const printLong = async (bytes: number): Promise<void> => {
  for (let left = bytes; left > 0; left -= CHUNK.length) {
    await write(CHUNK.subarray(0, Math.min(left, CHUNK.length)));
  }
  await write("\n");
};

/** Waits so long that only a signal ends it. */
const HANG = "setInterval(() => {}, 1_000)";

const state = { said: "", failure: null as string | null, usage: null as Usage | null };
type Usage = Extract<Step, { readonly does: "report" }>;

const speak = async (step: Parameters<typeof plainText>[0], number: number): Promise<void> => {
  if (step.does === "say") state.said = step.text;
  if (step.does === "fail") state.failure = step.message;
  if (lines === null) await write(plainText(step));
  else await say(lines.step(step, number));
};

const doStep = async (step: Step, number: number): Promise<void> => {
  switch (step.does) {
    case "think":
    case "say":
    case "use":
    case "fail":
      return speak(step, number);
    case "print":
      return write(step.text);
    case "print_error":
      process.stderr.write(step.text);
      return;
    case "print_long":
      return printLong(step.bytes);
    case "hang":
      await new Promise(() => setInterval(() => {}, 1_000));
      return;
    case "ignore_sigterm":
      process.on("SIGTERM", () => {});
      return;
    case "fork": {
      const detached = step.group === "own";
      const child = spawn(process.execPath, ["-e", HANG], { stdio: "inherit", detached });
      child.unref();
      return speak({ does: "say", text: `forked ${child.pid}` }, number);
    }
    case "write":
      return writeFileSync(step.path, step.text, step.encoding);
    case "say_long":
      return speak({ does: "say", text: "x".repeat(step.chars) }, number);
    case "delete":
      // Its caller may write into the folder at the same time.
      return rmSync(step.path, { recursive: true, maxRetries: 20 });
    case "record":
      return writeFileSync(step.path, JSON.stringify({ args, prompt, env: process.env }));
    case "call_mcp": {
      const { callMcp } = await import("./call-mcp.ts");
      const { tool, args: input } = step;
      const result = await callMcp(plan.dialect, args, { tool, input });
      return speak({ does: "use", tool: `mcp__catallaxy__${tool}`, input, result }, number);
    }
    case "report":
      state.usage = step;
      return;
    case "exit":
      process.exitCode = step.code;
      return;
  }
};

const isResumed = args.some((each) => /^(--resume=.+|resume)$/.test(each));
const steps = isResumed ? (plan.resumed ?? plan.steps) : plan.steps;
if (lines !== null) await say(lines.start(plan.session));
for (const [number, step] of steps.entries()) await doStep(step, number);
if (lines !== null) await say(lines.end(state.usage, state.said, state.failure));
