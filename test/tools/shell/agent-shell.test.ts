import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentShell } from "../../../src/tools/shell/agent-shell.ts";
import { folderWith } from "../../support/temporary-folder.ts";
import { FILES, scriptsIn } from "./scripts.ts";

const { run, printed } = scriptsIn(new AgentShell());

describe("a script", () => {
  const EXAMPLES = [
    [
      "ls; ls notes; find . -name '*.md'",
      "data.json\nfruit.txt\nnotes\nplan.md\n./notes/plan.md\n",
    ],
    ["pwd; cd notes; cat plan.md | head -1", "/workspace\n# Plan\n"],
    ["tail -n 1 fruit.txt; wc -l fruit.txt", "apple 2\n4 fruit.txt\n"],
    ["grep -rn fig .", "fruit.txt:3:fig 1\nnotes/plan.md:2:sell figs\n"],
    ["sed -n 's/apple/plum/p' fruit.txt", "plum 5\nplum 2\n"],
    ["awk '{ sum += $2 } END { print sum }' fruit.txt", "11\n"],
    ["cut -d' ' -f1 fruit.txt | sort | uniq -c | sort -rn | head -1", "   2 apple\n"],
    ["tr a-z A-Z < notes/plan.md | tail -1", "BUY PEARS\n"],
    ["jq -c '.sold | add, map(. * 2)' data.json", "12\n[6,8,10]\n"],
    ["diff fruit.txt notes/plan.md > /dev/null; echo $?", "1\n"],
    ["printf '%s-%03d\\n' a 7; test -f fruit.txt && echo yes", "a-007\nyes\n"],
    ["seq 3 | paste -sd+ - | tee sum | rev; expr 2 + 3", "3+2+1\n5\n"],
    ["f() { echo $(( $1 * 2 )); }; for i in 1 2; do f $i; done", "2\n4\n"],
    ["case $HOME in /work*) echo in;; esac; [[ abc =~ b ]] && echo match", "in\nmatch\n"],
    ["echo 'echo $1 | tr a b' > s.sh; bash s.sh aaa; echo x y | xargs echo", "bbb\nx y\n"],
  ] as const;
  for (const [text, output] of EXAMPLES) {
    it(`is understood: ${text}`, async () => {
      expect(await printed(text)).toBe(output);
    });
  }

  it("says which files it has changed and deleted", async () => {
    const text = "mkdir a; cp fruit.txt a/copy; mv data.json b.json; rm -r notes; echo 1 > a/n";
    expect(await run(text)).toMatchObject({
      changed: new Map([
        ["a/copy", FILES.get("fruit.txt")],
        ["a/n", "1\n"],
        ["b.json", FILES.get("data.json")],
      ]),
      deleted: ["notes/plan.md", "data.json"],
    });
  });

  it("has its output, errors, exit code and changes if it fails", async () => {
    const text = "echo out; echo kept > k; cat none; exit 3";
    expect(await run(text)).toMatchObject({
      exitCode: 3,
      stdout: "out\n",
      stderr: "cat: none: No such file or directory\n",
      changed: new Map([["k", "kept\n"]]),
    });
    expect(await printed("if true")).toMatch(/syntax error.*\nexit 2$/);
  });

  it("has no folder, variable or function of the script before it", async () => {
    await run("cd notes; X=1; f() { :; }; echo tmp > /tmp/t; export X");
    expect(await printed("pwd; echo [$X]; ls /tmp; type f")).toMatch(
      /^\/workspace\n\[\]\n.*exit 1$/s,
    );
  });
});

describe("the shell", () => {
  it("shows nothing of the host", async () => {
    expect(await printed("set")).not.toMatch(new RegExp(`${process.cwd()}|${process.env.PATH}`));
    expect(await printed("ls /")).toBe("bin\ndev\nproc\ntmp\nusr\nworkspace\n");
    for (const path of [
      "/etc/passwd",
      "../../etc/passwd",
      "/proc/self/environ",
      "/proc/1/environ",
    ]) {
      expect(await printed(`cat ${path}`)).toMatch(/No such file or directory\nexit 1$/);
    }
    // What bash would send to a port becomes a file.
    expect(await printed("echo hi > /dev/tcp/localhost/80; cat /dev/tcp/localhost/80")).toBe(
      "hi\n",
    );
  });

  const MISSING = [
    ...["curl", "wget", "python3", "node", "js-exec", "sqlite3", "tar", "gzip", "ln", "chmod"],
    ...["sleep", "timeout", "env", "hostname", "whoami", "mktemp", "ps", "uptime", "yes"],
  ];
  it("has no command that needs more than the files", async () => {
    for (const name of MISSING) expect(await printed(`${name} x`)).toMatch(/^bash: .*exit 127$/s);
  });

  it("prints the same whenever and wherever a script runs", async () => {
    const text =
      "date; echo $RANDOM $RANDOM $$ $SECONDS $UID $HOSTNAME $EPOCHSECONDS; ls -l; time :; " +
      "printf 'b\\nB\\na\\nä\\n' | sort; stat fruit.txt; awk 'BEGIN { print rand() }'; jq -n now; " +
      "touch -d 2020-01-01 fruit.txt; ls -l fruit.txt";
    const first = await printed(text);
    expect(first).toContain("Thu Jan  1 00:03:20 UTC 1970\n");
    expect(first).toContain("B\na\nb\nä\n");
    expect(first).toContain(" Jan  1 00:03 fruit.txt\n");
    const other = new AgentShell();
    const again = await other.forThought()({ text, files: FILES, nowMs: 200_000 });
    await other.close();
    expect(again).toMatchObject({ stdout: first.slice(0, first.indexOf("\nreal")) });
    expect(await printed(text)).toBe(first);
  });

  it("runs scripts one after the other, each with its own files", async () => {
    const scripts = ["a", "b", "c"].map((name) =>
      run("cat f; echo $RANDOM", new Map([["f", name]])),
    );
    const outcomes = await Promise.all(scripts);
    const outputs = outcomes.map((ended) => (ended.ok ? ended.stdout : ""));
    expect(outputs.map((text) => text[0])).toEqual(["a", "b", "c"]);
    expect(new Set(outputs.map((text) => text.slice(1))).size).toBe(1);
  });
});

it("a text without a time zone means UTC on every host", () => {
  const shell = new URL("../../../src/tools/shell/agent-shell.ts", import.meta.url);
  const dates = "'June 1, 2020' '2020-03-29T02:30:00' '2020-06-01 10:00'";
  const text = `for d in ${dates}; do date -d "$d" +%F_%T; done`;
  const code = `import { AgentShell } from "${shell}";
    const shell = new AgentShell();
    const text = ${JSON.stringify(text)};
    const ended = await shell.forThought()({ text, files: new Map(), nowMs: 0 });
    process.stdout.write(ended.stdout);
    await shell.close();`;
  const printedIn = (zone: string): string =>
    execFileSync(process.execPath, [join(folderWith({ "dates.ts": code }), "dates.ts")], {
      env: { ...process.env, TZ: zone },
      encoding: "utf8",
    });
  const expected = "2020-06-01_00:00:00\n2020-03-29_02:30:00\n2020-06-01_10:00:00\n";
  for (const zone of ["America/New_York", "Europe/Berlin"]) expect(printedIn(zone)).toBe(expected);
});
