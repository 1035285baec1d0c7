import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeCommand, pathWith } from "../support/fake-coding-agent/fake-agent.ts";
import type { Dialect, Plan, Step } from "../support/fake-coding-agent/plan.ts";
import { sim, simWith, spawnSim, startSim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";
import { expectRefusal } from "./refusal.ts";

const PROMPT = "You are ada.";

const lab = (more: Readonly<Record<string, string>> = {}): string =>
  folderWith({ ".mind/actors/ada/CLAUDE.md": PROMPT, "shop/till.ts": "", ...more });

const LOOK = {
  does: "use",
  tool: "Bash",
  input: { command: "cd shop && cat till.ts" },
  result: "a till",
} as const;
const READ = { does: "use", tool: "Read", input: { file_path: "till.ts" }, result: "x" } as const;
const DONE = { does: "say", text: "The till works." } as const;
const STEPS = [{ does: "think", text: "Where is the till?" } as const, LOOK, READ, DONE];

type Provider = Exclude<Dialect, "text">;

/** Lets ada work with an agent of this name, which does these steps. */
const work = (
  cwd: string,
  steps: readonly Step[],
  { provider = "claude", flags = [], ...given }: Given = {},
) => {
  const variables = { PATH: pathWith(provider, steps, given), ANTHROPIC_API_KEY: "a", MINE: "m" };
  const args = ["work", "ada", "Repair the till.", "--provider", provider, ...flags];
  return simWith({ variables }, cwd, args);
};
type Given = Partial<Pick<Plan, "session" | "resumed">> & {
  readonly provider?: Provider;
  readonly flags?: readonly string[];
};

const stateIn = (cwd: string, agent = "ada") =>
  JSON.parse(readFileSync(join(cwd, `.catallaxy/work/${agent}.json`), "utf8"));

type Line = { readonly node?: Record<string, unknown>; readonly link?: Record<string, string> };

const momentsIn = (cwd: string): readonly Record<string, unknown>[] =>
  linesIn(cwd).flatMap(({ node }) => (node?.label === "Moment" ? [node] : []));

const linesIn = (cwd: string): readonly Line[] =>
  readFileSync(join(cwd, ".catallaxy/work/moments.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** What an agent with the step `record` has seen. */
const seenIn = (cwd: string) => JSON.parse(readFileSync(join(cwd, "seen.json"), "utf8"));
const RECORD = { does: "record", path: "seen.json" } as const;

describe.each(["claude", "codex", "gemini"] as const)("sim work with %s", (provider) => {
  it("prints what the agent does, and keeps its state and its moments", () => {
    const cwd = lab();
    const { code, out, err } = work(cwd, STEPS, { provider });
    expect(out).toContain("The till works.\n");
    expect(out).toContain("🔧 ");
    expect(out).toContain("→ a till\n");
    expect(err).toMatch(/^ada completed its task \(\d+\.\d s, 3 calls\b.*\)\n$/);
    expect(code).toBe(0);
    expect(stateIn(cwd)).toMatchObject({
      ...{ status: "ready", activity: "waiting", process: null, provider },
      ...{ session_id: "session-1", actor_id: "ada" },
    });
    const moments = momentsIn(cwd);
    expect(moments.map(({ type }) => type)).toEqual([
      ...["ASSIGNMENT", "CONVERSATION"],
      ...(provider === "gemini" ? [] : ["CONVERSATION"]),
      "COMPLETION",
    ]);
    expect(stateIn(cwd)).toMatchObject({
      moments: moments.length,
      last_moment: moments.at(-1)?.id,
    });
  });

  it("prints the result as JSON, and then nothing else", () => {
    const cwd = lab();
    const { out, err, code } = work(cwd, STEPS, { provider, flags: ["--json"] });
    const result = JSON.parse(out);
    expect(result).toMatchObject({ success: true, output: "The till works.", actor_id: "ada" });
    expect(result.completion_moment_id).toBe(momentsIn(cwd).at(-1)?.id);
    expect([err, code]).toEqual(["", 0]);
  });

  it("continues the session of the last task, unless it is told to start a new one", () => {
    const cwd = lab();
    work(cwd, [RECORD], { provider });
    expect(seenIn(cwd).args.join(" ")).not.toContain("session-1");
    work(cwd, [RECORD], { provider });
    expect(seenIn(cwd).args.join(" ")).toMatch(/resume[= ]session-1/);
    expect(seenIn(cwd).args.join(" ")).not.toContain("--continue");
    work(cwd, [RECORD], { provider, flags: ["--fresh"] });
    expect(seenIn(cwd).args.join(" ")).not.toContain("session-1");
    expect(linesIn(cwd).filter(({ link }) => link?.verb === "precedes")).toHaveLength(5);
  });

  it("starts a new session if the old one cannot be continued, and says so", () => {
    const cwd = lab();
    work(cwd, [DONE], { provider, session: "old" });
    const resumed: readonly Step[] = [{ does: "exit", code: 1 }];
    const { code, err } = work(cwd, [DONE], { provider, session: "new", resumed });
    expect(err).toContain(
      "the try that continued its session failed, so a second one started without it",
    );
    expect(code).toBe(0);
    expect(stateIn(cwd).session_id).toBe("new");
  });

  it("skips permissions only with --unsafe", () => {
    const cwd = lab();
    const skips = /skip-permissions|bypass|yolo/;
    work(cwd, [RECORD], { provider });
    expect(seenIn(cwd).args.join(" ")).not.toMatch(skips);
    work(cwd, [RECORD], { provider, flags: ["--unsafe"] });
    expect(seenIn(cwd).args.join(" ")).toMatch(skips);
  });
});

describe("sim work", () => {
  it("gives the system prompt and the environment, and no other variables", () => {
    const cwd = lab();
    const flags = ["--env", "MINE", "--model", "tiny"];
    work(cwd, [RECORD], { flags });
    const { args, prompt, env } = seenIn(cwd);
    expect(prompt).toBe("Repair the till.");
    expect(args.join(" ")).toContain(`--append-system-prompt ${PROMPT}`);
    expect(args.join(" ")).toContain("--model tiny");
    expect(env).toMatchObject({ MINE: "m", ANTHROPIC_API_KEY: "a" });
    work(cwd, [RECORD]);
    expect(seenIn(cwd).env).not.toHaveProperty("MINE");
  });

  it("keeps the folder where the last cd has led", () => {
    const cwd = lab();
    work(cwd, STEPS);
    expect(stateIn(cwd).cwd).toBe(join(cwd, "shop"));
    work(cwd, [{ ...LOOK, input: { command: "cd /" } }]);
    expect(stateIn(cwd).cwd).toBe(join(cwd, "shop"));
  });

  it("works with any command, with its text or a stream that it speaks", () => {
    const cwd = lab();
    const args = ["work", "ada", "Hi", "--provider", "command"];
    const text = sim(cwd, ...args, "--", ...fakeCommand("text", STEPS));
    expect(text).toMatchObject({ code: 0, out: expect.stringContaining("The till works.\n") });
    const stream = sim(cwd, ...args, "--stream", "codex", "--", ...fakeCommand("codex", STEPS));
    expect(stream).toMatchObject({ code: 0, out: expect.stringContaining("→ a till\n") });
  });

  it("prints only the answer with --quiet", () => {
    expect(work(lab(), STEPS, { flags: ["--quiet"] })).toEqual({
      ...{ code: 0, out: "The till works.\n", err: "" },
    });
  });

  it("escapes what could control the terminal", () => {
    const text = "\u001b[2Jgone \u202e";
    const { out } = work(lab(), [
      { does: "say", text },
      { ...READ, result: text },
    ]);
    expect(out).toContain("\\u{1b}[2Jgone \\u{202e}");
    for (const mark of text.match(/[^ -~]/gu) ?? []) expect(out).not.toContain(mark);
  });

  it.each(["AGENTS.md", "GEMINI.md"])("takes the system prompt from %s too", (file) => {
    const cwd = folderWith({ [`.mind/actors/witness/${file}`]: "You look." });
    const variables = { PATH: pathWith("claude", [RECORD]) };
    const { code } = simWith({ variables }, cwd, ["work", "AGENT_Witness", "Look."]);
    expect(code).toBe(0);
    expect(seenIn(cwd).args).toContain("You look.");
    expect(momentsIn(cwd)[0]?.id).toMatch(/^WORK_Witness_Working_/);
    expect(stateIn(cwd, "AGENT_Witness").status).toBe("ready");
  });

  it("takes the system prompt from any file, for any folder", () => {
    const cwd = folderWith({ "prompt.txt": "You are bob." });
    const dir = folderWith();
    const command = fakeCommand("text", [RECORD]);
    const flags = ["--dir", dir, "--system-prompt", "prompt.txt", "--provider", "command"];
    expect(sim(cwd, "work", "bob", "Hi", ...flags, "--", ...command).code).toBe(0);
    expect(seenIn(dir).prompt).toContain("You are bob.");
  });
});

it("an agent that claims more tokens than an exact number can have keeps its session", () => {
  const cwd = lab();
  const tokens = Number.MAX_SAFE_INTEGER;
  const usage = { input_tokens: tokens, cache_read_input_tokens: tokens, output_tokens: 1 };
  const lines = [
    { type: "system", subtype: "init", session_id: "session-1" },
    { type: "result", result: "Done.", usage },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const command = fakeCommand("text", [{ does: "print", text }]);
  const args = ["work", "ada", "Hi", "--provider", "command", "--stream", "claude"];
  expect(sim(cwd, ...args, "--", ...command).code).toBe(0);
  expect(stateIn(cwd).reported).toEqual({ input_tokens: tokens, output_tokens: 1 });
  expect(sim(cwd, ...args, "--", ...command).code).toBe(0);
  expect(stateIn(cwd).moments).toBe(4);
});

it("an agent that deletes what is kept of its work does not stop it", () => {
  const cwd = lab();
  const { code } = work(cwd, [DONE, { does: "delete", path: ".catallaxy" }, READ, DONE]);
  expect(code).toBe(0);
  expect(stateIn(cwd)).toMatchObject({ status: "ready", moments: 3 });
  expect(momentsIn(cwd).map(({ type }) => type)).toEqual(["CONVERSATION", "COMPLETION"]);
});

describe("a task that fails", () => {
  it("ends with the code 1, the reason, and what the program printed", () => {
    const cwd = lab();
    const steps: readonly Step[] = [DONE, { does: "print_error", text: "no key" }];
    const { code, err } = work(cwd, [...steps, { does: "exit", code: 4 }]);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^sim: ada did not complete its task: it ended with exit code 4 .*no key\n$/,
    );
    expect(stateIn(cwd)).toMatchObject({ status: "ready", session_id: "session-1" });
    expect(momentsIn(cwd).at(-1)).toMatchObject({ type: "COMPLETION", status: "failed" });
  });

  it("is stopped after its time", () => {
    const cwd = lab();
    const { code, out } = work(cwd, [{ does: "hang" }], { flags: ["--timeout", "0.4", "--json"] });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ timed_out: true, error: "it timed out after 0.4 s" });
    expect(stateIn(cwd).status).toBe("ready");
  });

  it("says which page helps if the program is not installed", () => {
    const variables = { PATH: "/nowhere" };
    const ran = simWith({ variables }, lab(), ["work", "ada", "Hi"]);
    const page = "https://docs.anthropic.com/en/docs/claude-code/setup";
    expectRefusal(ran, 3, `claude is not on the PATH; ${page} says how to install it`);
  });

  it("is stopped by a signal, and what was said is kept", async () => {
    const cwd = lab();
    const command = fakeCommand("text", [DONE, { does: "print", text: "\n" }, { does: "hang" }]);
    const args = ["work", "ada", "Hi", "--provider", "command", "--", ...command];
    const running = startSim(cwd, ...args);
    await running.until(/The till works/);
    const second = sim(cwd, ...args);
    expectRefusal(second, 3, /^sim: ada is at work in process \d+; wait until it has ended/);
    expect(stateIn(cwd)).toMatchObject({ status: "running", process: { pid: process.pid } });
    running.kill("SIGINT");
    const { code, err } = await running.ended;
    expect(code).toBe(130);
    expect(err).toContain("it was stopped");
    expect(stateIn(cwd).status).toBe("ready");
    expect(momentsIn(cwd).map(({ type }) => type)).toContain("CONVERSATION");
  });
});

it("a task whose command was killed is cleared away by the next one", async () => {
  const cwd = lab();
  const flags = ["--provider", "command", "--"];
  const hanging = fakeCommand("text", [DONE, { does: "print", text: "\n" }, { does: "hang" }]);
  const running = spawnSim(cwd, "work", "ada", "Hi", ...flags, ...hanging);
  await running.until(/The till works/);
  running.kill("SIGKILL");
  await running.ended;
  expect(stateIn(cwd).status).toBe("running");
  const { code, err } = sim(cwd, "work", "ada", "Hi", ...flags, ...fakeCommand("text", [DONE]));
  expect(code).toBe(0);
  const left = platform() === "linux" ? "; 1 process of it was ended" : "";
  expect(err).toContain(`note: the last task of ada was cut off${left}\n`);
  expect(stateIn(cwd).status).toBe("ready");
});

describe("sim work refuses", () => {
  it("a system prompt that is a link to a file outside of the folder", () => {
    const cwd = lab();
    const secret = join(lab({ "secret.txt": "hunter2" }), "secret.txt");
    const home = join(cwd, ".mind/actors/ada");
    rmSync(join(home, "CLAUDE.md"));
    symlinkSync(secret, join(home, "CLAUDE.md"));
    expectRefusal(work(cwd, [DONE]), 2, /CLAUDE.md: is a link to \S+secret.txt, outside of/);
    rmSync(join(home, "CLAUDE.md"));
    writeFileSync(join(home, "AGENTS.md"), PROMPT);
    symlinkSync("AGENTS.md", join(home, "CLAUDE.md"));
    expect(work(cwd, [DONE])).toMatchObject({ code: 0 });
  });

  it.each([
    [["../ada", "Hi"], /^sim: ..\/ada: the name of an agent has letters, digits, _ and -/],
    [["ada", " "], "the task is empty; say what to do"],
    [["bob", "Hi"], /^sim: bob has no system prompt; write \S+bob\/CLAUDE.md, or use --system/],
    [["ada", "Hi", "--provider", "other"], /Allowed choices are claude, codex, gemini, command/],
    [["ada", "Hi", "--provider", "command"], "write the command after --, such as -- my-agent"],
    [["ada", "Hi", "--stream", "text"], "--stream is for --provider command"],
    [["ada", "Hi", "--dir", "none"], /none is not a folder/],
    [["ada", "Hi", "--env", "NOT_SET"], "--env NOT_SET: the variable is not set"],
    [["ada", "Hi", "--system-prompt", "none.md"], /none.md: cannot be read: no such file/],
    [["ada", "Hi", "--timeout", "0"], /It must be a number of seconds above 0/],
    [
      ["ada", "Hi", "--provider", "command", "--unsafe", "--", "true"],
      "--model and --unsafe are not for a command; write its own flags after it",
    ],
  ])("%j", (args, message) => {
    const cwd = lab();
    expectRefusal(sim(cwd, "work", ...args), 2, message);
    expect(existsSync(join(cwd, ".catallaxy"))).toBe(false);
  });

  it("a folder of its own that is a link", () => {
    const cwd = lab();
    symlinkSync(folderWith(), join(cwd, ".catallaxy"));
    expectRefusal(work(cwd, [DONE]), 2, /\.catallaxy is a link; delete it\n$/);
  });

  it.each([
    ["{", "it is not JSON"],
    ["[]", "Invalid input: expected object, received array"],
    ['{"status":"ready"}', "actor_id: Invalid input: expected string, received undefined"],
  ])("a state that is damaged, such as %s, and leaves it as it is", (text, problem) => {
    const file = ".catallaxy/work/ada.json";
    const cwd = lab({ [file]: text });
    const cure = "repair it, or delete it to start without a session";
    expectRefusal(work(cwd, [DONE]), 2, `${join(cwd, file)} is damaged: ${problem}; ${cure}`);
    expect(readFileSync(join(cwd, file), "utf8")).toBe(text);
  });

  it("a state that is a folder or a link", () => {
    const folder = lab({ ".catallaxy/work/ada.json/file": "" });
    expectRefusal(work(folder, [DONE]), 2, /ada\.json is damaged: it is not a file; /);
    const cwd = lab({ ".catallaxy/work/moments.jsonl": "" });
    symlinkSync("moments.jsonl", join(cwd, ".catallaxy/work/ada.json"));
    expectRefusal(work(cwd, [DONE]), 2, /ada\.json is a link; delete it\n$/);
  });
});
