import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import type { Json } from "../../../src/kernel/index.ts";
import { missingPython } from "../../../src/tools/kinds.ts";
import { AgentPython } from "../../../src/tools/python/agent-python.ts";
import type { Limits } from "../../../src/tools/python/script-process.ts";
import type { CodeOutcome, CodeScript } from "../../../src/tools/tool/tool.ts";
import { hasPython, PYTHON_ENV } from "../../support/python.ts";

type Call = readonly [name: string, args: Json];

const SECRET = "secret-of-the-host";
const warnings: string[] = [];

const pythonWith = (limits: Partial<Limits>): AgentPython =>
  new AgentPython({
    isAllowed: true,
    env: { ...PYTHON_ENV, MY_API_KEY: SECRET },
    warn: (text) => warnings.push(text),
    limits: { jsonDepthMax: 10, timeMs: 20_000, ...limits },
  });

type Given = {
  readonly limits?: Partial<Limits>;
  readonly calls?: Call[];
  readonly signal?: AbortSignal;
};

/** Runs a script. Its functions answer with their arguments, except `act`, which fails. */
const run = (code: string, given: Given = {}): Promise<CodeOutcome> => {
  const { limits = {}, calls = [], signal = new AbortController().signal } = given;
  const call: CodeScript["call"] = (name, args) => {
    calls.push([name, args]);
    return name === "act"
      ? { ok: false, problem: "no ünicorn" }
      : { ok: true, value: JSON.stringify(args) };
  };
  return pythonWith(limits).forThought(signal)({ code, functions: ["read_file", "act"], call });
};

const problemOf = async (code: string, given: Given = {}): Promise<string> => {
  const outcome = await run(code, given);
  return outcome.ok ? `no problem, but ${outcome.value}` : outcome.problem;
};

const resultOf = async (code: string): Promise<unknown> => {
  const outcome = await run(code);
  return outcome.ok ? outcome.value : outcome.problem;
};

const isAlive = (pid: string): boolean =>
  /^[^Z]/.test(spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" }).stdout.trim());

describe.skipIf(!hasPython)("a script in Python", () => {
  afterAll(() => expect(warnings).toEqual([]));

  it("gives what it prints and its result: the variable, or the last expression", async () => {
    expect(await run("print('ü', 1)\nprint(2)\n3 * 4")).toEqual({
      ok: true,
      value: "12",
      log: "ü 1\n2",
    });
    expect(await resultOf("result = [1, 'a', None]\nprint(1)\n'not this'")).toBe("[1, 'a', None]");
    expect(await resultOf("'text' * 2")).toBe("texttext");
    expect(await resultOf("x = 1")).toBe("");
    expect(await resultOf("import sys\nresult = 5\nsys.exit()")).toBe("5");
  });

  it("calls its functions with keyword arguments, and a failure is a ToolError", async () => {
    const calls: Call[] = [];
    const code = `text = read_file(path="ü.js", n=[1, None, {"a": True}])
try:
    act()
except ToolError as error:
    result = text + str(error)`;
    const outcome = await run(code, { calls });
    expect(outcome).toMatchObject({
      ok: true,
      value: '{"path":"ü.js","n":[1,null,{"a":true}]}no ünicorn',
    });
    expect(calls.map(([name]) => name)).toEqual(["read_file", "act"]);
    expect(await problemOf("read_file('a')")).toContain("takes 0 positional arguments");
  });

  it("fails with a traceback of its own lines", async () => {
    const failed = await problemOf("def f():\n    act(a=1)\n\nf()");
    expect(failed).toMatch(/^Traceback[^\n]*\n +File "<script>", line 4, in <module>\n +f\(\)/);
    expect(failed).toMatch(/File "<script>", line 2, in f\n +act\(a=1\)\n[^F]*ToolError: no ünic/);
    expect(failed).not.toContain("<string>");
    expect(await problemOf("x = 1 +\n")).toMatch(/"<script>", line 1\n[\s\S]*SyntaxError/);
    const inside = await problemOf("import json\njson.loads('{')");
    expect(inside).toMatch(/line 2, in <module>[\s\S]*JSONDecodeError/);
    expect(inside).not.toContain("/json/");
    expect(await problemOf("try:\n  1/0\nexcept Exception:\n  act()")).toMatch(
      /ZeroDivisionError[\s\S]*another exception[\s\S]*line 4[\s\S]*ToolError/,
    );
    expect(await problemOf("import sys\nsys.exit(3)")).toMatch(/SystemExit: 3$/);
  });

  it("has no environment of the host, and an empty folder that is removed", async () => {
    const code = `import os, tempfile
open("a.txt", "w").write("x")
print(tempfile.mkdtemp(), os.environ)
result = os.getcwd()`;
    const outcome = await run(code);
    const folder = outcome.ok ? String(outcome.value) : "";
    expect(folder).toContain("catallaxy-python-");
    expect(existsSync(folder)).toBe(false);
    expect(outcome.log).toContain(`${folder}/`);
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
  });

  it("cannot make a call by printing it", async () => {
    const calls: Call[] = [];
    const call = { kind: "call", name: "read_file", args: {} };
    const outcome = await run(`print('${JSON.stringify(call)}', flush=True)`, { calls });
    expect(outcome).toMatchObject({ ok: true, log: JSON.stringify(call) });
    expect(calls).toEqual([]);
  });

  it("gains nothing by writing to the pipe of its calls itself", async () => {
    const writing = (bytes: string): string => `import os, time\nos.write(3, ${bytes})`;
    const calls: Call[] = [];
    const deep = `b'{"kind": "call", "name": "read_file", "args": ' + b'{"a":' * 50000 + b'1' + b'}' * 50001 + b'\\n'`;
    const answered = "\nresult = open(4, closefd=False).readline()";
    expect(await resultOf(writing(deep) + answered)).toContain("nested too deeply");
    expect(await problemOf(writing("b'[' * 400000 + b'\\n'"))).toBe(NOT_A_CALL);
    expect(await problemOf(writing("b'nonsense\\n'"), { calls })).toBe(NOT_A_CALL);
    expect(await problemOf(writing("b'x' * 3000000"), { calls })).toContain("too long");
    const flood = `\nwhile True: os.write(3, b'{"kind": "call", "name": "x", "args": {}}\\n')`;
    expect(await problemOf(`import os${flood}`, { calls })).toBe("it made more than 100 calls");
    expect(calls).toHaveLength(100);
    expect(await problemOf("read_file(path='\\ud800')")).toContain("lone surrogate");
    expect(await problemOf("read_file(**{'__proto__': 1})")).toContain("__proto__");
    expect(await problemOf("read_file(n=float('nan'))")).toContain("ValueError");
  });

  it("can close its pipes or end early, and then has no result", async () => {
    const closing = "import os\nfor each in (1, 2, 3, 4): os.close(each)";
    expect(await problemOf(closing)).toBe("it ended without a result, with exit code 1");
    expect(await problemOf("import os\nos.close(4)\nread_file()")).toContain("OSError");
    expect(await problemOf("import os\nos._exit(7)")).toContain("exit code 7");
    const killed = "import os\nos.kill(os.getpid(), 9)";
    expect(await problemOf(killed)).toContain("the signal SIGKILL");
  });

  it("can print as many bytes as the limit", async () => {
    const limits = { outputBytes: 6 };
    const exactly = await run("print('12345')", { limits });
    expect(exactly).toMatchObject({ ok: true, log: "12345" });
    const more = await run("print('123456')", { limits });
    expect(more).toEqual({ ok: false, problem: "it printed more than 6 bytes", log: "123456" });
  });

  it("is bounded in time, memory, stack, calls, files and output", async () => {
    const timeMs = 1_000;
    const endless = await run("print('before')\nwhile True: pass", { limits: { timeMs } });
    expect(endless).toEqual({ ok: false, problem: "it took more than 1 s", log: "before" });
    expect(await problemOf("def f(): return f()\nf()")).toMatch(/line 1, in f[\s\S]*Recursion/);
    const printed = await run("while True: print('x' * 1000)");
    expect(printed).toMatchObject({ ok: false, problem: "it printed more than 1048576 bytes" });
    expect(printed.log.length).toBeLessThanOrEqual(1_048_576);
    const many = "while True:\n  try: act()\n  except Exception: pass";
    expect(await problemOf(many)).toBe("it made more than 100 calls");
    expect(String(await resultOf("'\\U0001f600' * 1000000")).length).toBeLessThanOrEqual(40_000);
    if (process.platform !== "linux") return;
    expect(await problemOf("all = []\nwhile True: all.append('x' * 10000000)")).toContain(
      "MemoryError",
    );
    const big = "with open('f', 'w') as file:\n  file.write('x' * 100000000)";
    expect(await problemOf(big)).toContain("File too large");
  });

  it("ends with all processes that it started", async () => {
    const limits = { timeMs: 1_500 };
    const forked = (rest: string): string => `import os, time
child = os.fork()
if child == 0:
    time.sleep(60)
print(child)
${rest}`;
    for (const rest of ["pass", "while True: pass"]) {
      const { log } = await run(forked(rest), { limits });
      // A user without special rights cannot start processes here at all.
      if (log !== "") await expect.poll(() => isAlive(log.trim())).toBe(false);
    }
    expect(await problemOf("import os\nwhile True: os.fork()", { limits })).toMatch(
      /took more than|BlockingIOError/,
    );
  });

  it("ends when its thought is cancelled, and when the run ends", async () => {
    const cancelling = new AbortController();
    const code = "read_file()\nwhile True: pass";
    const calls: Call[] = [];
    const running = run(code, { signal: cancelling.signal, calls });
    await expect.poll(() => calls.length, { timeout: 10_000 }).toBe(1);
    cancelling.abort();
    expect(await running).toMatchObject({ ok: false, problem: "the thought was cancelled" });
    expect(await problemOf("1", { signal: cancelling.signal })).toBe("the thought was cancelled");
    const python = pythonWith({});
    const started = Promise.withResolvers<void>();
    const call: CodeScript["call"] = () => {
      started.resolve();
      return { ok: true, value: null };
    };
    const script = { code, functions: ["read_file"], call };
    const last = python.forThought(new AbortController().signal)(script);
    await started.promise;
    await python.close();
    expect(await last).toMatchObject({ ok: false, problem: "the thought was cancelled" });
  });
});

const NOT_A_CALL = "it sent something that is not a call";

describe("a run without Python", () => {
  const outcomeWith = (given: {
    readonly isAllowed: boolean;
    readonly PATH?: string | undefined;
  }) => {
    const { isAllowed, ...env } = given;
    const python = new AgentPython({ isAllowed, env, warn: () => {}, limits: { jsonDepthMax: 9 } });
    const script: CodeScript = {
      code: "1",
      functions: [],
      call: () => ({ ok: true, value: null }),
    };
    return python.forThought(new AbortController().signal)(script);
  };

  it("refuses scripts with the reason", async () => {
    expect(await outcomeWith({ isAllowed: false, ...PYTHON_ENV })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("this run does not allow Python"),
    });
    const missing = "python3 is not on the PATH of this machine";
    expect(await outcomeWith({ isAllowed: true })).toMatchObject({ ok: false, problem: missing });
    expect(await outcomeWith({ isAllowed: true, PATH: "/nowhere" })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("python3 cannot be started"),
    });
    expect(missingPython({})).toBe(missing);
    expect(missingPython({ PATH: "/nowhere" })).toBe(missing);
  });
});
