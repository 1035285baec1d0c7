import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ModelServer,
  type ServedCall,
  startModelServer,
} from "../support/model-server/model-server.ts";
import { emptyFolder, type SimResult, setFlags, startSimWith } from "../support/sim.ts";

const TUTORIAL = readFileSync(new URL("../../docs/authoring-agents.md", import.meta.url), "utf8");

/** What a reader of the tutorial does, in order. */
type Step =
  | { readonly does: "types"; readonly command: string; readonly code: number }
  | { readonly does: "writes"; readonly file: string; readonly text: string }
  | { readonly does: "fixes"; readonly file: string; readonly from: string; readonly to: string }
  | { readonly does: "reads"; readonly text: string };

const MARK = /(?:<!-- (file|code|output|fix)(?:: (.+?))? -->\n)?(?:```(\w*)\n([\s\S]*?)```\n)?/g;

const stepsIn = (text: string): readonly Step[] =>
  [...text.matchAll(MARK)].flatMap(([_, mark, about = "", language, block]): readonly Step[] => {
    if (mark === "fix") {
      const [file = "", from = "", to = ""] = about.split(": ");
      return [{ does: "fixes", file, from, to }];
    }
    if (block === undefined) return [];
    if (mark === "file") return [{ does: "writes", file: about, text: block }];
    if (mark === "output") return [{ does: "reads", text: block }];
    if (language !== "sh") return [];
    const code = mark === "code" ? Number(about) : 0;
    return block
      .trim()
      .split("\n")
      .map((command) => ({ does: "types", command, code }));
  });

const STEPS = stepsIn(TUTORIAL);

const acting = (action: object): string =>
  JSON.stringify({ thought_process: "I look around and continue.", action });

/** What a model would say that plays along. */
const answered = ({ prompt, n }: ServedCall) => ({
  text: prompt.includes("Settle on a goal")
    ? JSON.stringify({ goal: "sell tools", next_step: "look at the market" })
    : acting(
        n % 2 === 0
          ? { noop: {} }
          : { invoke_artifact: { artifact_id: "genesis_store", method: "count", args: [] } },
      ),
});

let server: ModelServer;
const said: (readonly [command: string, SimResult])[] = [];
const problems: string[] = [];

/** The words of a command, as a shell would part those of this page. */
const wordsOf = (command: string): readonly string[] =>
  command.split(/\s+/).map((word) => word.replace(/^'(.*)'$/, "$1"));

/** Providers are asked at the server of the test, which wants no distance between requests. */
const atServer = (): readonly string[] =>
  setFlags(
    "llm.providers.google.requests_per_minute=null",
    `llm.providers.google.base_url=${server.baseUrl("google")}`,
    `llm.providers.openai-compatible.base_url=${server.baseUrl("openai-compatible")}`,
  );

beforeAll(async () => {
  server = await startModelServer(answered);
  let here = emptyFolder();
  let variables: Readonly<Record<string, string>> = {};
  for (const step of STEPS) {
    if (step.does === "writes") {
      mkdirSync(dirname(join(here, step.file)), { recursive: true });
      writeFileSync(join(here, step.file), step.text);
    } else if (step.does === "fixes") {
      const text = readFileSync(join(here, step.file), "utf8");
      writeFileSync(join(here, step.file), text.replace(step.from, step.to));
    } else if (step.does === "types") {
      const [verb = "", ...args] = wordsOf(step.command);
      if (verb === "cd") here = join(here, args[0] ?? "");
      else if (verb === "export") variables = { ...variables, ...pairOf(args[0] ?? "") };
      else if (verb === "sim") {
        const more = args[0] === "run" ? atServer() : [];
        const ran = await startSimWith(variables, here, [...args, ...more]).ended;
        said.push([step.command, ran]);
        if (ran.code !== step.code) {
          problems.push(`${step.command} ended with ${ran.code}: ${ran.err}${ran.out}`);
        }
      } else problems.push(`no one knows what "${step.command}" means`);
    }
  }
}, 300_000);
afterAll(() => server.close());

const pairOf = (text: string): Readonly<Record<string, string>> => {
  const [name = "", value = ""] = text.split("=");
  return { [name]: value };
};

/** What the first command said that begins so. */
const saidBy = (start: string): SimResult => {
  const found = said.find(([command]) => command.startsWith(start));
  if (found === undefined) throw new Error(`the tutorial has no command "${start}"`);
  return found[1];
};

const hashIn = ({ out }: SimResult): string | undefined => /^state hash (\w+)$/m.exec(out)?.[1];

describe("the tutorial on writing agents", () => {
  it("has commands that exit as documented", () => {
    expect(STEPS.filter(({ does }) => does === "types").length).toBeGreaterThan(20);
    expect(STEPS.filter(({ does }) => does === "writes").length).toBeGreaterThan(4);
    expect(problems).toEqual([]);
  });

  it("shows the printed problem of the mistake in the workflow", () => {
    const shown = STEPS.flatMap((step) => (step.does === "reads" ? [step.text] : []));
    const printed = said.map(([_, { out }]) => out);
    expect(shown).toHaveLength(1);
    for (const text of shown) expect(printed).toContain(text);
  });

  it("leads to agents that act by policy, script, model and workflow", () => {
    expect(saidBy("sim report first").out).toMatch(/^hugo\t\w+\t\d+\t/m);
    expect(saidBy("sim events scripted").out).toContain("artifact_invoked");
    expect(saidBy("sim agents preview lou").out).toContain("You write small text tools");
    expect(saidBy("sim report trial").out).toMatch(/^to\tmock\t\d+\t0\t/m);
    const past = saidBy("sim agents preview lou --run trial --at 30s").out;
    expect(past).toMatch(/^lou at 30 s, after event \d+\n/);
    expect(past).toMatch(/\n--- memories, \d+ tokens\n[\s\S]*Agent lou performed/);
    expect(saidBy("sim run --only lou,wanda,hugo,fermi").out).toMatch(/^for\tplan\t\d+\t0\t/m);
    expect(saidBy("sim run --agents agents-llm --duration 60").out).toMatch(/^trades +[1-9]/m);
    expect(saidBy("sim run --only lou,hugo,fermi --duration 60 --estimate").out).toMatch(/^lou\t/m);
    const thought = JSON.parse(saidBy("sim events talk --principal lou").out.split("\n")[0] ?? "");
    expect(thought).toMatchObject({ principal: "lou", reasoning: "I look around and continue." });
    expect(saidBy("sim events talk --principal lou --kind memory_recorded").out).toContain(
      "Agent lou performed invoke_artifact",
    );
    expect(saidBy("sim report talk").out).toMatch(/^to\tgoogle\/gemini-3-flash-preview\t/m);
    const local = saidBy(
      "sim run --only lou,hugo,fermi --duration 60 --clock virtual --name local",
    );
    expect(local.out).toMatch(/^to\topenai-compatible\/qwen3:8b\t.*\t0\.0000$/m);
    expect(local.out).not.toContain("default_pricing");
    expect(saidBy("sim report steps").out).toMatch(/^for\tplan\t/m);
  });

  it("leads to an equal run with --replay-models", () => {
    const [talk, again] = ["talk", "again"].map((name) => {
      return said.find(([command]) => command.includes(`--name ${name} `))?.[1];
    });
    if (talk === undefined || again === undefined) throw new Error("the tutorial repeats no run");
    expect(hashIn(talk)).toMatch(/^\w{64}$/);
    expect(hashIn(again)).toBe(hashIn(talk));
  });
});
