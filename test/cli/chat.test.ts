import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { WorkspaceExport } from "../../src/cli/chat/workspace-export.ts";
import type { MindEvent } from "../../src/tools/index.ts";
import { setFlags, sim, simWith } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

const QUICK = setFlags("memory.backend=none", "virtual.think_ms.llm=[0,0]");

const chat = (cwd: string, lines: readonly string[], ...flags: readonly string[]) =>
  simWith({ lines }, cwd, ["chat", "smith", "--model", "mock", ...QUICK, ...flags]);

const lab = (more: Readonly<Record<string, string>> = {}): string =>
  folderWith({ "agents/smith/agent.yaml": "id: smith\nmind: tools\n", ...more });

type Message = {
  readonly role: string;
  readonly session: string;
  readonly plugin?: string;
  readonly content: string;
};

const transcript = (cwd: string, run = "latest"): readonly Message[] =>
  sim(cwd, "transcript", run, "smith", "--json")
    .out.trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("sim chat", () => {
  it("answers each line with a turn, and says what it cost", () => {
    const cwd = lab();
    const { code, out, err } = chat(cwd, ["Hello", "", "And now?"]);
    expect(code).toBe(0);
    expect(out).toContain("That is all for now.");
    expect(
      err.match(/\[\d calls? of the model, \d+ tokens in, \d+ out, 0.0000 USD\]/g),
    ).toHaveLength(2);
    expect(err).toMatch(/^-> read_artifact \{"artifact_id":"handbook_\w+"\}$/m);
    const asked = transcript(cwd).filter(({ role, plugin }) => role === "user" && !plugin);
    expect(asked.map(({ content }) => content)).toEqual(["Hello", "And now?"]);
    expect(sim(cwd, "verify", "latest").code).toBe(0);
  });

  it("prints what the agent says, as text and in the events as JSON", () => {
    const cwd = lab();
    // The words depend on the run time, so each chat is compared with its own transcript.
    const saidIn = (run: string): string =>
      transcript(cwd, run)
        .flatMap(({ role, content }) => (role === "assistant" ? [`${content}\n`] : []))
        .join("");
    const { out } = chat(cwd, ["Hello"], "--name", "plain");
    expect(out).toContain("That is all for now.");
    expect(out).toBe(saidIn("plain"));
    const events: readonly MindEvent[] = chat(cwd, ["Hello"], "--json", "--name", "json")
      .out.trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({
      agent: "smith",
      session: "main",
      kind: "llm_start",
      step: 1,
    });
    expect(events.at(-1)).toMatchObject({ kind: "done", problem: null });
    const pieces = events.map((event) =>
      event.kind === "llm_stream" && event.delta.type === "text_delta" ? event.delta.text : "",
    );
    expect(pieces.join("")).toBe(saidIn("json").replaceAll("\n", ""));
  });

  describe("with actions that must be reviewed", () => {
    const reviewed = (...lines: readonly string[]) => {
      const review = "review: { match: [{ action: read_artifact }] }\n";
      const persona = `id: smith\nmind: tools\n${review}`;
      return chat(folderWith({ "agents/smith/agent.yaml": persona }), ["Hello", ...lines]);
    };
    const asks =
      /it asks to do this, for up to 0 scrip: \{"read_artifact":\{"artifact_id":"handbook_/;

    it("goes on when the person has accepted, edited or refused them", () => {
      for (const line of ["/accept", '/edit {"noop": {}}', "/feedback Read nothing."]) {
        const { code, out, err } = reviewed(line, "/accept", "/accept", "/accept");
        expect(err).toMatch(asks);
        expect(err).toContain("answer with /accept, /edit ACTION or /feedback TEXT");
        expect(out).toContain("That is all for now.");
        expect(err).toContain("no action of this agent waits for you");
        expect(code).toBe(0);
      }
    });

    it("says how to write an action, and ends with exit code 1 without an answer", () => {
      const { code, err } = reviewed("/edit nothing");
      expect(err).toContain('write the action as JSON, such as /edit {"noop": {}}');
      expect(code).toBe(1);
    });
  });

  it("starts again after /reset, keeps the files until /reset files, and ends at /exit", () => {
    const cwd = lab();
    const lines = ["Hello", "/reset", "Again", "/files", "/reset files", "Bare", "/exit", "Never"];
    const { code, err } = chat(cwd, lines);
    expect(code).toBe(0);
    expect(err).toContain("the conversation starts again");
    const sessions = transcript(cwd).flatMap(({ role, plugin, session, content }) =>
      role === "user" && !plugin ? [`${session}: ${content}`] : [],
    );
    expect(sessions).toEqual(["main: Hello", "main-2: Again", "main-3: Bare"]);
    expect(err).toMatch(/^memory\/200001\/20000101.md \(\d+ characters\)$/m);
    const { out } = sim(cwd, "events", "latest", "--kind", "workspace_changed", "--json");
    expect(out).toMatch(/"without":\["memory\/200001\/20000101.md"/);
  });

  it("reads a folder into the workspace, and writes it after each turn", () => {
    const cwd = lab({ "mine/AGENTS.md": "Be brief.", "mine/old.txt": "old" });
    const folder = join(cwd, "mine");
    const { err } = chat(cwd, ["Hello"], "--workspace", "mine");
    expect(err).toContain("1 file written");
    expect(readFileSync(join(folder, "memory/200001/20000101.md"), "utf8")).toContain(
      "# 2000-01-01",
    );
    expect(readFileSync(join(folder, "old.txt"), "utf8")).toBe("old");
    writeFileSync(join(folder, "kept.bin"), Buffer.from([0, 255]));
    const refused = chat(cwd, ["Hello"], "--workspace", "mine");
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("kept.bin") });
  });

  it("creates the folder, or fills it if it is empty", () => {
    const cwd = lab({ "agents/smith/workspace/AGENTS.md": "Be brief." });
    mkdirSync(join(cwd, "empty"));
    for (const name of ["new", "empty"]) {
      chat(cwd, ["Hello"], "--workspace", name);
      expect(readFileSync(join(cwd, name, "AGENTS.md"), "utf8")).toBe("Be brief.");
      expect(existsSync(join(cwd, name, "memory"))).toBe(true);
    }
  });

  it("writes nothing through a link", () => {
    const cwd = lab({ "mine/AGENTS.md": "Be brief.", "outside/keep.md": "kept" });
    const folder = join(cwd, "mine");
    symlinkSync(join(cwd, "outside"), join(folder, "memory"));
    const refused = chat(cwd, ["Hello"], "--workspace", "mine");
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("mine/memory") });
    const files = new WorkspaceExport(folder, JSON.stringify({ "memory/keep.md": "kept" }));
    const { changed, problems } = files.update(new Map([["memory/a.md", "secret"]]));
    expect([changed, problems.length]).toEqual([0, 2]);
    expect(problems[0]).toMatch(/mine\/memory is a link; delete it$/);
    expect(readdirSync(join(cwd, "outside"))).toEqual(["keep.md"]);
  });

  it("can make a folder of what was a file, and a file of what was a folder", () => {
    const folder = lab();
    const files = new WorkspaceExport(folder, null);
    const states = [{ a: "1", "b/c/d": "2" }, { "a/e": "3", b: "4" }, { a: "5" }];
    for (const state of states) {
      expect(files.update(new Map(Object.entries(state))).problems).toEqual([]);
      for (const [path, text] of Object.entries(state)) {
        expect(readFileSync(join(folder, path), "utf8")).toBe(text);
      }
    }
    expect(existsSync(join(folder, "b"))).toBe(false);
  });

  it("leaves out hidden files and installed packages", () => {
    const cwd = lab({ "mine/.git/config": "x", "mine/node_modules/a/b.js": "x", "mine/a.md": "y" });
    const { code, err } = chat(cwd, ["/files"], "--workspace", "mine");
    expect([code, err.match(/^\S+ \(\d+ characters?\)$/gm)]).toEqual([0, ["a.md (1 character)"]]);
  });

  it("says that an agent without budget does not answer", () => {
    const cwd = lab();
    const budget = setFlags("resources.stock.llm_budget_usd=0.0001", "compute.sale=none");
    const paid = setFlags('llm.pricing={"mock":{"input":9,"output":9}}');
    const { code, err } = chat(cwd, ["Hello", "Again"], ...budget, ...paid);
    expect(code).toBe(1);
    expect(err.match(/^smith is frozen: it has 100 micro-dollars/gm)).toHaveLength(2);
  });

  it("deletes in the folder what the agent made, and no file of the person", () => {
    const cwd = lab({ "mine/old.md": "old" });
    expect(chat(cwd, ["Hello", "/reset files"], "--workspace", "mine").code).toBe(0);
    expect(existsSync(join(cwd, "mine", "old.md"))).toBe(true);
    expect(existsSync(join(cwd, "mine/memory/200001/20000101.md"))).toBe(false);
  });

  it("has the commands of plugins, and keeps the settings of the user", () => {
    const plugin = `export default { commands: {
      ask: { description: "Asks for something.", run: (args) => "Please " + args },
      now: { description: "Says the time.", run: (_, { view }) => ({ show: "it is " + view.id }) },
      bad: { description: "Fails.", run: () => { throw new Error("no luck"); } },
    } };`;
    const cwd = lab({
      "agents/smith/agent.yaml": "id: smith\nmind: tools\nplugins: [./words.ts]\n",
      "agents/smith/words.ts": plugin,
      "config.yaml": "resources: { windows: { actions: 77 } }\n",
    });
    const { err } = chat(cwd, ["/help", "/now", "/bad", "/ask me", "/asks"]);
    expect(err).toContain("/ask: Asks for something.");
    expect(err).toContain("it is smith");
    expect(err).toContain("the plugin words of smith failed: words.ts:4:56: Error: no luck");
    expect(err).not.toContain("there is no command /bad");
    expect(err).toContain("there is no command /asks; did you mean `/ask`");
    const said = transcript(cwd);
    expect(said.map(({ content }) => content)).toContain("Please me");
    const situation = said.find(({ plugin: by }) => by === "situation")?.content;
    expect(situation).toContain("actions: 77 of 77");
  });

  it.each([
    [["chat", "dora", "--agents", "agents"], "has no persona `dora`; there are ada, smith"],
    [["chat", "ada"], "ada has mind: policy/trader; only agents with `mind: tools or code`"],
    [["chat"], "missing required argument"],
  ])("refuses %j", (args, problem) => {
    const cwd = lab({ "agents/ada/agent.yaml": "id: ada\nmind: policy/trader\n" });
    expect(sim(cwd, ...args)).toMatchObject({ code: 2, err: expect.stringContaining(problem) });
  });

  it("names the personas of all folders that it has searched", () => {
    const { code, err } = sim(lab(), "chat", "ghost");
    expect(code).toBe(2);
    expect(err).toMatch(
      /no persona "ghost" in agents or the shipped agents-llm; there are smith, /,
    );
    expect(err).toContain("toolsmith");
    const cwd = lab({ "more/dora/agent.yaml": "id: dora\nmind: tools\n" });
    const folders = ["--agents", "agents", "--agents", "more"];
    const problem = "agents, more: has no persona `ghost`; there are dora, smith";
    expect(sim(cwd, "chat", "ghost", ...folders).err).toContain(problem);
    expect(sim(cwd, "agents", "list", ...folders).out).toMatch(/^dora\t[\s\S]*^smith\t/m);
  });

  it("has the shipped personas without a folder of its own", () => {
    const cwd = folderWith({});
    const args = ["chat", "analyst", "--model", "mock", ...QUICK];
    expect(simWith({ lines: ["Hello"] }, cwd, args).code).toBe(0);
  });
});
