import { OPERATOR } from "../../kernel/index.ts";
import { WOKE } from "../../text/index.ts";
import type { SeatPlayer } from "../client/seat-player.ts";
import type { MoveCommand } from "../core/seat-command.ts";
import { foundIn, type SeatLook } from "../core/seat-look.ts";
import {
  fieldsOfFile,
  readSeatLine,
  SEAT_COMMANDS,
  SEAT_WORDS,
  type SeatLine,
} from "./seat-line.ts";
import { type Screen, showFound, showInbox, showLook, showOutcome } from "./seat-text.ts";

type Parts = {
  readonly agent: string;
  readonly player: SeatPlayer;
  readonly output: Screen;
  readonly json: boolean;
  /** Reads a file for `write`, or says why it cannot. */
  readonly readFile: (path: string) => { readonly text: string } | { readonly problem: string };
  /** Aborts when the person ends the session. */
  readonly signal: AbortSignal;
};

/** The lines that a person enters after the prompt. `complete` offers words for the line so far. */
type Lines = (
  prompt: string,
  signal: AbortSignal,
  complete: (line: string) => readonly string[],
) => AsyncIterable<string>;

/** The answer to a line. With a `problem`, the command had no effect, or the world refused it. */
type Reply = {
  readonly problem?: string;
  /** What it costs, as it was shown before the action. */
  readonly price?: number;
  readonly result?: unknown;
  readonly show?: (output: Screen) => void;
};

/** A person, or a script, that controls a seat line by line. */
export class SeatSession {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Answers the lines until they end. Returns true if no command has failed. */
  async hold(lines: Lines): Promise<boolean> {
    const { signal, output, json, agent } = this.#parts;
    let isDone = true;
    if (!json) output.note(`you have the seat of ${agent}; help lists the commands`);
    for await (const given of lines(`${agent}> `, signal, (line) => this.#completions(line))) {
      const line = given.trim();
      if (line === "") continue;
      const read = readSeatLine(line);
      if (read.ok && read.command.kind === "quit") return isDone;
      const reply = read.ok ? await this.#answer(read.command) : { problem: read.problem };
      this.#print(line, reply);
      isDone &&= reply.problem === undefined;
    }
    return isDone;
  }

  #print(line: string, { show, ...reply }: Reply): void {
    const { json, output } = this.#parts;
    const [command] = line.split(/\s/, 1);
    if (json) {
      output.jsonLine(JSON.stringify({ command, ok: reply.problem === undefined, ...reply }));
      return;
    }
    show?.(output);
    if (reply.problem !== undefined) output.notice(reply.problem);
  }

  /** The commands, and behind a command the names that the last look has shown. */
  #completions(line: string): readonly string[] {
    if (!/\s/.test(line)) return SEAT_WORDS.map((word) => `${word} `);
    return [...this.#parts.player.names, OPERATOR];
  }

  async #answer(command: SeatLine): Promise<Reply> {
    switch (command.kind) {
      case "look":
        return await this.#looking((output, look) => showLook(output, look));
      case "inbox":
        return await this.#looking((output, look) => showInbox(output, look), "mailbox");
      case "help":
        return await this.#help(command.page);
      case "wait":
        return await this.#wait(command.seconds);
      case "write": {
        const { id, file } = command;
        const read = this.#parts.readFile(file);
        if ("problem" in read) return read;
        const given = fieldsOfFile(id, file, read.text);
        if (!given.ok) return { problem: given.problem };
        return await this.#move({ kind: "write", fields: given.fields });
      }
      case "quit":
        return {};
      default:
        return await this.#move(command);
    }
  }

  async #looking(show: (output: Screen, look: SeatLook) => void, part?: "mailbox"): Promise<Reply> {
    const answer = await this.#parts.player.look(this.#parts.signal);
    if (!answer.ok) return { problem: answer.problem };
    const look = answer.value;
    const result = part === undefined ? look : look[part];
    return { result, show: (output) => show(output, look) };
  }

  async #help(page: string | null): Promise<Reply> {
    if (page === null) {
      const lines = SEAT_WORDS.map((word) => SEAT_COMMANDS[word]);
      const result = lines.map(({ form, about }) => ({ form, about }));
      const width = Math.max(...lines.map(({ form }) => form.length));
      const text = lines.map(({ form, about }) => `${form.padEnd(width)}  ${about}`).join("\n");
      return { result, show: (output) => output.block(`${text}\nhelp toc: pages of the handbook`) };
    }
    const answer = await this.#parts.player.page(page, this.#parts.signal);
    if (!answer.ok) return { problem: answer.problem };
    return { result: answer.value, show: (output) => output.block(answer.value.text) };
  }

  async #wait(timeout_s: number): Promise<Reply> {
    const { player, signal } = this.#parts;
    const answer = await player.wait(timeout_s, signal);
    if (!answer.ok) return { problem: answer.problem };
    const { woke, at_ms } = answer.value;
    const said = `${WOKE[woke]}${HINTS[woke]}`;
    return { result: answer.value, show: (output) => output.line(`${at_ms / 1000} s: ${said}`) };
  }

  async #move(command: MoveCommand): Promise<Reply> {
    const { player, json, output, signal } = this.#parts;
    const prepared = await player.prepare(command, signal);
    if (!prepared.ok) return { problem: prepared.problem };
    const { action, price } = prepared;
    const shown = price === null ? {} : { price };
    if (!json && price !== null) output.line(`the price is ${price} scrip`);
    const answer = await player.act(action, signal);
    if (!answer.ok) return { problem: answer.problem, ...shown };
    const outcome = answer.value;
    if (!outcome.success) return { problem: outcome.message, ...shown, result: outcome };
    const found = command.kind === "search" ? foundIn(outcome) : null;
    const show = (to: Screen): void =>
      found === null ? showOutcome(to, outcome) : showFound(to, found);
    return { ...shown, result: outcome, show };
  }
}

/** The command that shows more. */
const HINTS = { message: "; inbox", move: "", timeout: "", no_move: "; look says why" } as const;
