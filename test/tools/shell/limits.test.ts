import { describe, expect, it } from "vitest";
import { AgentShell } from "../../../src/tools/shell/agent-shell.ts";
import { scriptsIn } from "./scripts.ts";

const { run, printed } = scriptsIn(new AgentShell());

describe("a hostile script", () => {
  const ENDLESS = [
    ["while :; do :; done", "too many commands executed"],
    ["until false; do true; done", "too many commands executed"],
    ["f() { f; }; f", "maximum recursion depth"],
    [":(){ :|:& };:", "maximum recursion depth"],
    ["echo 'bash s & bash s' > s; bash s", "maximum nested execution depth"],
    ["eval \"$(printf '( %.0s' {1..500})\"", "Maximum parser nesting depth"],
    ["echo {1..1000000000}", "brace expansion"],
    ["seq 1 1000000000", "limit exceeded"],
    ["printf '%1000000000d' 1", "width limit exceeded"],
    ["x=a; while :; do x=$x$x; done", "string length limit exceeded"],
    ["awk 'BEGIN { while (1) i++ }'", "exceeded maximum iterations"],
    ["awk 'BEGIN { s = \"a\"; while (1) s = s s }'", "size limit exceeded"],
    ["echo a | sed ':a;ba'", "exceeded maximum iterations"],
    ["jq -n '[range(1000000000)]'", "limit exceeded"],
    ["jq -n 'def f: f; f'", "limit exceeded"],
    ["jq -n '\"a\" * 1000000000'", "limit exceeded"],
    ["seq 2000 > f; for i in {1..20}; do cat f f > g; mv g f; done", "limit exceeded"],
    [
      "seq 2000 > f; for i in {1..2000}; do wc f > /dev/null; done",
      "has read more than 8388608 bytes",
    ],
  ] as const;
  for (const [text, problem] of ENDLESS) {
    it(`is bounded: ${text}`, async () => {
      const ended = await run(text);
      expect(ended).toMatchObject({ ok: true, stderr: expect.stringContaining(problem) });
      expect(ended).not.toMatchObject({ exitCode: 0 });
      // The advice of the interpreter is for its host.
      expect(ended).not.toMatchObject({ stderr: expect.stringContaining("executionLimits") });
    });
  }

  it("searches with patterns in linear time", async () => {
    const long = "a".repeat(60);
    expect(await printed(`grep -E '(a+)+$' <<< ${long}b; [[ ${long}b =~ ^(a+)+$ ]]`)).toBe(
      "exit 1",
    );
    expect(await printed(`case ${long} in *a*a*a*a*a*a*a*a*a*b) echo y;; *) echo n;; esac`)).toBe(
      "n\n",
    );
  });

  it("prints no more than a model can read", async () => {
    const ended = await run("printf '%20000s' x; printf '%20000s' y >&2");
    expect(ended).toMatchObject({
      stdout: expect.stringMatching(/^ {14000}\n\[6000 more characters\]$/),
      stderr: expect.stringMatching(/^ {3000}\n\[17000 more characters\]$/),
    });
  });

  it("can delete everything, and write where it likes, in its own files only", async () => {
    const ended = await run("rm -rf /; mkdir -p /workspace /etc; echo x > /etc/passwd; echo y > a");
    expect(ended).toMatchObject({ changed: new Map([["a", "y\n"]]) });
    expect(await printed("ls")).toBe("data.json\nfruit.txt\nnotes\n");
  });

  it("may use names of JavaScript's objects", async () => {
    const text =
      "echo 1 > constructor; echo 2 > toString; declare -A m; m[__proto__]=3; __proto__=4; " +
      `echo \${m[__proto__]} $__proto__; jq -cn '{__proto__: {a: 5}, constructor: 6}'; ` +
      "awk 'BEGIN { a[\"__proto__\"] = 7; for (k in a) print k, a[k] }'";
    expect(await printed(text)).toBe("3 4\n{}\n__proto__ 7\n");
    expect(await printed(`echo $a \${m[a]}; jq -cn '{} | .a'`)).toBe("\nnull\n");
  });

  it("does not take a file for text that is not text in UTF-8", async () => {
    const ended = await run("head -c 1 <<< ä > c");
    expect(ended).toMatchObject({ changed: new Map([["c", null]]) });
  });
});
