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

const COMMANDS = [
  ["/help", "list the commands"],
  ["/files", "list the files of the agent"],
  ["/reset", "start a new conversation; the files stay"],
  ["/reset files", "start a new conversation with an empty workspace"],
  ["/exit", "end the chat"],
] as const;

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
      const isOver = (await this.#answer(line.trim(), { launch, operator, over })) === "over";
      if (isOver || operator.pace === "over") break;
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

  async #answer(line: string, chat: Chat): Promise<"over" | "going"> {
    if (line === "") return "going";
    if (line === "/exit") return "over";
    if (line.startsWith("/")) return await this.#command(line, chat);
    await this.#say(line, chat);
    return "going";
  }

  async #command(line: string, chat: Chat): Promise<"going"> {
    const { agent, commands } = this.#parts;
    const { launch, operator } = chat;
    const here = this.#here(launch);
    switch (line) {
      case "/help": {
        const own = commands.list(here).map(({ name, description }) => [`/${name}`, description]);
        for (const [name, about] of [...COMMANDS, ...own]) {
          this.#output.notice(`${name}: ${about}`);
        }
        return "going";
      }
      case "/files":
        for (const [path, text] of this.#filesOf(launch)) {
          this.#output.notice(`${path} (${counted(text.length, "character")})`);
        }
        return "going";
      case "/reset":
      case "/reset files": {
        const files = line === "/reset files";
        const { ok, message } = await operator.execute({ kind: "reset_agent", agent, files });
        this.#output.notice(ok ? "the conversation starts again" : message);
        return "going";
      }
    }
    const [, name = "", args = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
    const result = commands.run(name, args, here);
    if (result === null) {
      const names = [...COMMANDS.map(([known]) => known), ...commands.list(here).map(nameOf)];
      this.#output.notice(`there is no command /${name}; ${didYouMean(`/${name}`, names) ?? HELP}`);
    } else if ("show" in result) this.#output.notice(result.show);
    else await this.#say(result.say, chat);
    return "going";
  }

  async #say(text: string, { launch, operator, over }: Chat): Promise<void> {
    const { agent } = this.#parts;
    const { state } = launch.runner.world;
    // A paused agent has failed several times. A new message is a new attempt.
    if (state.agents.get(asId(agent))?.state === "paused") {
      await operator.execute({ kind: "resume_agent", agent });
    }
    const ended = new Promise<void>((resolve) => {
      this.#turnEnded = resolve;
    });
    const sent = await operator.execute({ kind: "send_message", agent, text });
    if (sent.ok) await Promise.race([ended, over]);
    else this.#output.notice(sent.message);
    this.#export(launch);
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

const HELP = "/help lists the commands";

const nameOf = ({ name }: { readonly name: string }): string => `/${name}`;
