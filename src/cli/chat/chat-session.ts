import {
  type Agent,
  asId,
  isObject,
  type Json,
  jsonIn,
  liveArtifact,
  mailboxOf,
  memoryIds,
  proposalCost,
  waitingProposals,
} from "../../kernel/index.ts";
import type { Launch, Operator, OperatorCommand, RunResult } from "../../run/index.ts";
import { counted, didYouMean } from "../../text/index.ts";
import { conversationIn, type MindEvent } from "../../tools/index.ts";
import { filesIn } from "../../tools/kinds.ts";

import { type Output, oneLine } from "../core/output.ts";
import type { Shell } from "../core/shell.ts";
import { printWarnings } from "../output/run-warnings.ts";
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
  #settled = (): void => {};
  /** False if the last message of the person has no answer. */
  #isAnswered = true;

  constructor(output: Output, parts: Parts) {
    this.#output = output;
    this.#parts = parts;
    this.#turn = new ChatTurn(output, parts.json);
  }

  readonly onMindEvent = (event: MindEvent): void => this.#turn.show(event);

  /** Runs the world until the person ends the chat, or the run ends by itself. */
  async hold(
    launch: Launch,
    lines: Shell["lines"],
  ): Promise<RunResult & { readonly isAnswered: boolean }> {
    const { runner, directory } = launch;
    const { agent } = this.#parts;
    this.#output.note(
      `chat with ${agent}, run ${directory.runId} in ${directory.folder}; /help lists the commands`,
    );
    const endWarnings = printWarnings(this.#output, launch);
    const endFollowing = runner.follow((rows) => {
      for (const { kind, body } of rows) {
        if (kind === "agent_state_changed") this.#noteState(body);
      }
      if (this.#isSettled(launch)) this.#settled();
    });
    const operator = runner.operate();
    const running = launch.run();
    const ending = new AbortController();
    const over = running.then(() => ending.abort());
    for await (const line of lines("> ", ending.signal)) {
      const goesOn = await this.#answer(line.trim(), { launch, operator, over });
      if (!goesOn || operator.pace === "over") break;
    }
    await operator.execute({ kind: "stop" });
    const result = await running;
    this.#turn.endText();
    if (result.stoppedBy !== "signal")
      this.#output.notice(`the run has ended: ${result.stoppedBy}`);
    this.#export(launch);
    endFollowing();
    endWarnings();
    this.#parts.commands.close();
    return { ...result, isAnswered: this.#isAnswered };
  }

  /** Returns false if the person ends the chat. */
  async #answer(line: string, chat: Chat): Promise<boolean> {
    if (line === "/exit") return false;
    if (line.startsWith("/")) await this.#command(line, chat);
    else if (line !== "") await this.#say(line, chat);
    return true;
  }

  async #command(given: string, chat: Chat): Promise<void> {
    const line = oneLine(given);
    const own = BUILT_IN.find(({ name, takes }) =>
      takes === undefined ? name === line : line === name || line.startsWith(`${name} `),
    );
    if (own !== undefined) {
      await own.run(this, chat, line.slice(own.name.length).trim());
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
    for (const { name, description, ...rest } of all) {
      const takes = "takes" in rest && rest.takes !== undefined ? ` ${rest.takes}` : "";
      this.#output.notice(`${name}${takes}: ${description}`);
    }
  }

  showFiles({ launch }: Chat): void {
    const files = this.#filesOf(launch);
    if (files.size === 0) this.#output.notice("there are no files");
    for (const [path, text] of files) {
      this.#output.notice(`${path} (${counted(text.length, "character")})`);
    }
  }

  async reset(chat: Chat, files: boolean): Promise<void> {
    const { agent } = this.#parts;
    const { ok, message } = await chat.operator.execute({ kind: "reset_agent", agent, files });
    if (ok && files) this.#parts.files?.keepImported();
    if (ok) await this.#settle(chat);
    const stay =
      files && this.#parts.files !== null ? "; the files that the folder had stay there" : "";
    this.#output.notice(ok ? `the conversation starts again${stay}` : message);
    this.#export(chat.launch);
  }

  /** Decides about the action of the agent that waits for a reviewer. */
  async decide(chat: Chat, decisionOf: (waiting: Waiting) => Decision | string): Promise<void> {
    const waiting = this.#waiting(chat.launch);
    if (waiting === null) {
      this.#output.notice("no action of this agent waits for you");
      return;
    }
    const decision = decisionOf(waiting);
    if (typeof decision === "string") {
      this.#output.notice(decision);
      return;
    }
    this.#turn.takeAnswer();
    const { ok, message } = await chat.operator.execute(decision);
    if (!ok) this.#output.notice(message);
    else await this.#settle(chat);
    this.#export(chat.launch);
  }

  #waiting({ runner }: Launch): Waiting | null {
    const { state } = runner.world;
    const found = waitingProposals(state).find(({ agent }) => agent === this.#parts.agent);
    if (found === undefined) return null;
    return { proposal: found.number, action: found.action, cost: proposalCost(state, found) };
  }

  async #say(text: string, chat: Chat): Promise<void> {
    const { agent } = this.#parts;
    const { launch, operator } = chat;
    const { state = "stopped", reason = "" } = this.#agent(launch) ?? {};
    this.#isAnswered = false;
    this.#turn.takeAnswer();
    if (state === "frozen" || state === "stopped") {
      this.#output.notice(`${agent} is ${state}: ${reason}`);
      return;
    }
    // A paused agent has failed several times. A new message is a new attempt.
    if (state === "paused") await operator.execute({ kind: "resume_agent", agent });
    const sent = await operator.execute({ kind: "send_message", agent, text });
    if (sent.ok) await this.#settle(chat);
    else this.#output.notice(sent.message);
    this.#export(launch);
  }

  /** Waits until the agent has nothing to do, or until the run has ended. */
  async #settle({ over, launch }: Chat): Promise<void> {
    const settled = new Promise<void>((resolve) => {
      this.#settled = resolve;
    });
    await Promise.race([settled, over]);
    if (this.#turn.takeAnswer()) this.#isAnswered = true;
    const waiting = this.#waiting(launch);
    if (waiting === null) return;
    const { action, cost } = waiting;
    this.#output.notice(`it asks to do this, for up to ${cost} scrip: ${JSON.stringify(action)}`);
    this.#output.notice("answer with /accept, /edit ACTION or /feedback TEXT");
  }

  /** Whether the agent has answered all messages, or cannot answer. */
  #isSettled(launch: Launch): boolean {
    const { runner } = launch;
    const agent = this.#agent(launch);
    if (agent === undefined || IDLE_STATES.includes(agent.state)) return true;
    const { unread } = mailboxOf(runner.world.state, agent.id);
    const isIdle = agent.pending === null && unread.length === 0;
    const { turn, sides } = conversationIn(agent.mind);
    return isIdle && turn === null && Object.values(sides).every((side) => side.turn === null);
  }

  #agent({ runner }: Launch): Agent | undefined {
    return runner.world.state.agents.get(asId(this.#parts.agent));
  }

  #noteState(body: string): void {
    const { agent, to, reason }: { readonly [field: string]: unknown } = JSON.parse(body);
    if (agent !== this.#parts.agent || !IDLE_STATES.includes(String(to))) return;
    this.#turn.endText();
    this.#output.notice(`${agent} is ${to}: ${String(reason)}`);
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
    if (files === null) return;
    const { changed, problems } = files.update(this.#filesOf(launch));
    if (changed > 0) this.#output.note(`${counted(changed, "file")} written`);
    for (const problem of problems) this.#output.notice(`not written: ${problem}`);
  }
}

type Chat = {
  readonly launch: Launch;
  readonly operator: Operator;
  /** Resolves when the run has ended. */
  readonly over: Promise<void>;
};

/** In these states, an agent does not answer. */
const IDLE_STATES: readonly string[] = ["paused", "frozen", "in_review", "stopped"];

type Command = {
  readonly name: string;
  /** What follows the name, or nothing. */
  readonly takes?: string;
  readonly description: string;
  readonly run: (session: ChatSession, chat: Chat, given: string) => void | Promise<void>;
};

/** An action of the agent that waits for the person. */
type Waiting = { readonly proposal: number; readonly action: Json; readonly cost: number };
type Decision = Extract<OperatorCommand, { readonly proposal: number }>;

const edited = ({ proposal }: Waiting, given: string): Decision | string => {
  const action = jsonIn(given);
  return isObject(action)
    ? { kind: "edit_proposal", proposal, action }
    : `write the action as JSON, such as /edit {"noop": {}}`;
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
  {
    name: "/accept",
    description: "let the agent do the action that waits for you",
    run: (session, chat) =>
      session.decide(chat, ({ proposal, cost }) => ({
        kind: "accept_proposal",
        proposal,
        most: cost,
      })),
  },
  {
    name: "/edit",
    takes: "ACTION",
    description: "let it do this action instead, given as JSON",
    run: (session, chat, given) => session.decide(chat, (waiting) => edited(waiting, given)),
  },
  {
    name: "/feedback",
    takes: "TEXT",
    description: "refuse the action that waits for you, and tell the agent why",
    run: (session, chat, text) =>
      session.decide(chat, ({ proposal }) => ({ kind: "give_feedback", proposal, text })),
  },
  { name: "/exit", description: "end the chat", run: () => {} },
];

const nameOf = ({ name }: Command): string => name;
