import { asId, liveArtifact, memoryIds } from "../../kernel/index.ts";
import { didYouMean, filesIn, type MindEvent } from "../../mind/index.ts";
import type { Launch, Operator, RunResult } from "../../runner/index.ts";
import { counted } from "../../wording.ts";
import type { Output } from "../output/output.ts";
import { printWarnings } from "../output/run-warnings.ts";
import type { Shell } from "../shell.ts";
import { ChatTurn } from "./chat-turn.ts";
import type { PluginCommands } from "./plugin-commands.ts";
import type { WorkspaceExport } from "./workspace-export.ts";

type Parts = {
  readonly agent: string;
  readonly json: boolean;
  /** The folder that follows the workspace of the agent, or null. */
  readonly files: WorkspaceExport | null;
  readonly commands: PluginCommands;
};

/** A conversation of a person with an agent, line by line. */
export class ChatSession {
  readonly #output: Output;
  readonly #parts: Parts;
  readonly #turn: ChatTurn;
  #turnEnded = (): void => {};

  constructor(output: Output, parts: Parts) {
    this.#output = output;
    this.#parts = parts;
    this.#turn = new ChatTurn(output, parts.json);
  }

  readonly onMindEvent = (event: MindEvent): void => {
    if (this.#turn.show(event)) this.#turnEnded();
  };

  /** Runs the world until the person ends the chat. */
  async hold(launch: Launch, lines: Shell["lines"]): Promise<RunResult> {
    const { runner, directory } = launch;
    const { agent } = this.#parts;
    this.#output.note(
      `chat with ${agent}, run ${directory.runId} in ${directory.folder}; /help lists the commands`,
    );
    const endWarnings = printWarnings(this.#output, runner);
    const endFollowing = runner.follow((rows) => {
      for (const { kind, body } of rows) {
        if (kind === "agent_state_changed") this.#noteState(body);
      }
    });
    const operator = runner.operate();
    const running = launch.run();
    const over = running.then(() => this.#turnEnded());
    for await (const line of lines("> ")) {
      const goesOn = await this.#answer(line.trim(), { launch, operator, over });
      if (!goesOn || operator.pace === "over") break;
    }
    await operator.execute({ kind: "stop" });
    const result = await running;
    this.#turn.endText();
    this.#export(launch);
    endFollowing();
    endWarnings();
    this.#parts.commands.close();
    return result;
  }

  /** Returns false if the person ends the chat. */
  async #answer(line: string, chat: Chat): Promise<boolean> {
    if (line === "/exit") return false;
    if (line.startsWith("/")) await this.#command(line, chat);
    else if (line !== "") await this.#say(line, chat);
    return true;
  }

  async #command(line: string, chat: Chat): Promise<void> {
    const own = BUILT_IN.find(({ name }) => name === line);
    if (own !== undefined) {
      await own.run(this, chat);
      return;
    }
    const { commands } = this.#parts;
    const here = this.#here(chat.launch);
    const [, name = "", args = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
    const outcome = commands.run(name, args, here);
    if (outcome.kind === "say") await this.#say(outcome.text, chat);
    if (outcome.kind === "show") this.#output.notice(outcome.text);
    if (outcome.kind !== "unknown") return;
    const names = [...BUILT_IN.map(nameOf), ...commands.list(here).map((each) => `/${each.name}`)];
    const meant = didYouMean(line, names) ?? "/help lists the commands";
    this.#output.notice(`there is no command /${name}; ${meant}`);
  }

  showHelp({ launch }: Chat): void {
    const own = this.#parts.commands.list(this.#here(launch));
    const all = [...BUILT_IN, ...own.map(({ name, ...rest }) => ({ name: `/${name}`, ...rest }))];
    for (const { name, description } of all) this.#output.notice(`${name}: ${description}`);
  }

  showFiles({ launch }: Chat): void {
    const files = this.#filesOf(launch);
    if (files.size === 0) this.#output.notice("there are no files");
    for (const [path, text] of files) {
      this.#output.notice(`${path} (${counted(text.length, "character")})`);
    }
  }

  async reset({ operator, launch, over }: Chat, files: boolean): Promise<void> {
    const { agent } = this.#parts;
    const done = this.#waitForEnd();
    const { ok, message } = await operator.execute({ kind: "reset_agent", agent, files });
    if (ok) await Promise.race([done, over]);
    this.#output.notice(ok ? "the conversation starts again" : message);
    this.#export(launch);
  }

  async #say(text: string, { launch, operator, over }: Chat): Promise<void> {
    const { agent } = this.#parts;
    const { state } = launch.runner.world;
    // A paused agent has failed several times. A new message is a new attempt.
    if (state.agents.get(asId(agent))?.state === "paused") {
      await operator.execute({ kind: "resume_agent", agent });
    }
    const ended = this.#waitForEnd();
    const sent = await operator.execute({ kind: "send_message", agent, text });
    if (sent.ok) await Promise.race([ended, over]);
    else this.#output.notice(sent.message);
    this.#export(launch);
  }

  #waitForEnd(): Promise<void> {
    return new Promise((resolve) => {
      this.#turnEnded = resolve;
    });
  }

  /** An agent that is paused, frozen or stopped does not answer. */
  #noteState(body: string): void {
    const { agent, to, reason }: { readonly [field: string]: unknown } = JSON.parse(body);
    if (agent !== this.#parts.agent) return;
    if (to !== "paused" && to !== "frozen" && to !== "stopped") return;
    this.#turn.endText();
    this.#output.notice(`${agent} is ${to}: ${String(reason)}`);
    this.#turnEnded();
  }

  #here({ runner }: Launch) {
    const { world, clock } = runner;
    return { world, clock, warn: (text: string) => this.#output.notice(text) };
  }

  #filesOf({ runner }: Launch): ReturnType<typeof filesIn> {
    const { workspace } = memoryIds(asId(this.#parts.agent));
    return filesIn(liveArtifact(runner.world.state, workspace)?.content ?? "");
  }

  #export(launch: Launch): void {
    const { files } = this.#parts;
    const changed = files?.update(this.#filesOf(launch)) ?? 0;
    if (changed > 0) this.#output.note(`${counted(changed, "file")} written`);
  }
}

type Chat = {
  readonly launch: Launch;
  readonly operator: Operator;
  /** Resolves when the run has ended. */
  readonly over: Promise<void>;
};

type Command = {
  readonly name: string;
  readonly description: string;
  readonly run: (session: ChatSession, chat: Chat) => void | Promise<void>;
};

const BUILT_IN: readonly Command[] = [
  {
    name: "/help",
    description: "list the commands",
    run: (session, chat) => session.showHelp(chat),
  },
  {
    name: "/files",
    description: "list the files of the agent",
    run: (session, chat) => session.showFiles(chat),
  },
  {
    name: "/reset",
    description: "start a new conversation; the files stay",
    run: (session, chat) => session.reset(chat, false),
  },
  {
    name: "/reset files",
    description: "start a new conversation with an empty workspace",
    run: (session, chat) => session.reset(chat, true),
  },
  { name: "/exit", description: "end the chat", run: () => {} },
];

const nameOf = ({ name }: Command): string => name;
