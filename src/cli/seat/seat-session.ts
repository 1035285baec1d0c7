import { isList, isObject, type JsonObject, OPERATOR } from "../../kernel/index.ts";
import type { ControlAnswer, SeatClient, SeatLook, SeatOutcome } from "../../runner/index.ts";
import { listed } from "../../wording.ts";
import type { Output } from "../output/output.ts";
import type { Shell } from "../shell.ts";
import {
  readSeatCommand,
  SEAT_COMMANDS,
  SEAT_WORDS,
  type SeatCommand,
  writingOf,
} from "./seat-command.ts";
import { showInbox, showLook, showOutcome } from "./seat-text.ts";

type Parts = {
  readonly seat: SeatClient;
  readonly output: Output;
  readonly json: boolean;
  /** Reads a file for `write`, or says why it cannot. */
  readonly readFile: (path: string) => { readonly text: string } | { readonly problem: string };
  /** Aborts when the person ends the session. */
  readonly signal: AbortSignal;
};

/** What is known of an artifact: from a look, or from a search. */
type Known = {
  readonly price: number;
  readonly read_price: number;
  readonly executable: boolean;
  readonly methods: readonly string[];
};

/** The answer to a line. With a `problem`, the command had no effect, or the world refused it. */
type Reply = {
  readonly problem?: string;
  /** What it costs, as it was shown before the action. */
  readonly price?: number;
  readonly result?: unknown;
  readonly show?: (output: Output) => void;
};

/** A person, or a script, that plays a seat line by line. */
export class SeatSession {
  readonly #parts: Parts;
  readonly #known = new Map<string, Known>();
  #look: SeatLook | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async hold(lines: Shell["lines"]): Promise<void> {
    const { signal, output, json, seat } = this.#parts;
    if (!json) output.note(`you play ${seat.agent}; help lists the commands`);
    for await (const given of lines(`${seat.agent}> `, signal, (line) => this.#completions(line))) {
      const line = given.trim();
      if (line === "") continue;
      const read = readSeatCommand(line);
      if (read.ok && read.command.kind === "quit") return;
      const reply = read.ok ? await this.#answer(read.command) : { problem: read.problem };
      this.#print(line, reply);
    }
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
    const { principals = [], genesis = [] } = this.#look ?? {};
    return [...this.#known.keys(), ...principals, ...genesis, OPERATOR];
  }

  async #answer(command: SeatCommand): Promise<Reply> {
    switch (command.kind) {
      case "look":
        return await this.#looking((output, look) => showLook(output, look));
      case "inbox":
        return await this.#looking((output, look) => showInbox(output, look), "mailbox");
      case "help":
        return await this.#help(command.page);
      case "wait":
        return await this.#wait(command.seconds);
      case "act":
        return await this.#act(command.action, this.#priceOf(command.of));
      case "buy":
        return await this.#buy(command);
      case "sell": {
        const { executable = true } = (await this.#knownOf(command.id)) ?? {};
        const price = { [executable ? "price" : "read_price"]: command.price };
        return await this.#act({ write_artifact: { artifact_id: command.id, ...price } });
      }
      case "write": {
        const file = this.#parts.readFile(command.file);
        if ("problem" in file) return file;
        const writing = writingOf(command.id, command.file, file.text);
        return writing.ok ? await this.#act(writing.action) : { problem: writing.problem };
      }
      case "quit":
        return {};
    }
  }

  async #looking(show: (output: Output, look: SeatLook) => void, part?: "mailbox"): Promise<Reply> {
    const answer = await this.#lookAgain();
    if (!answer.ok) return { problem: answer.problem };
    const look = answer.value;
    const result = part === undefined ? look : look[part];
    return { result, show: (output) => show(output, look) };
  }

  async #lookAgain(): Promise<ControlAnswer<SeatLook>> {
    const answer = await this.#parts.seat.look(this.#parts.signal);
    if (!answer.ok) return answer;
    this.#look = answer.value;
    const { artifacts, market, texts, offers } = answer.value;
    for (const listing of [artifacts, market, texts, offers].flat()) {
      this.#known.set(listing.id, listing);
    }
    return answer;
  }

  async #help(page: string | null): Promise<Reply> {
    if (page === null) {
      const lines = SEAT_WORDS.map((word) => SEAT_COMMANDS[word]);
      const result = lines.map(({ form, about }) => ({ form, about }));
      const width = Math.max(...lines.map(({ form }) => form.length));
      const text = lines.map(({ form, about }) => `${form.padEnd(width)}  ${about}`).join("\n");
      return { result, show: (output) => output.block(`${text}\nhelp toc: pages of the handbook`) };
    }
    const answer = await this.#parts.seat.page(page, this.#parts.signal);
    if (!answer.ok) return { problem: answer.problem };
    return { result: answer.value, show: (output) => output.block(answer.value.text) };
  }

  async #wait(timeout_s: number): Promise<Reply> {
    const { seat, signal } = this.#parts;
    const answer = await seat.wait({ until: "message", timeout_s }, signal);
    if (!answer.ok) return { problem: answer.problem };
    const { woke, at_ms } = answer.value;
    const said = woke === "message" ? "a message has arrived; inbox" : WOKE[woke];
    return { result: answer.value, show: (output) => output.line(`${at_ms / 1000} s: ${said}`) };
  }

  /** Calls a program for its shown price. The world refuses the call if the price has risen. */
  async #buy({ id, args }: Extract<SeatCommand, { kind: "buy" }>): Promise<Reply> {
    const known = await this.#knownOf(id);
    if (known === null) {
      return { problem: `${id} is not in the last look or search; search for it, then buy it` };
    }
    const method = known.methods.find((name) => name === "run") ?? known.methods[0];
    if (method === undefined) return { problem: `${id} is a text; \`read ${id}\` reads it` };
    if (known.methods.length > 1 && method !== "run") {
      return { problem: `${id} has ${listed(known.methods, 5)}; write: invoke ${id} METHOD` };
    }
    const call = { artifact_id: id, method, args: [...args], max_price: known.price };
    return await this.#act({ invoke_artifact: call }, known.price);
  }

  async #act(action: JsonObject, price?: number): Promise<Reply> {
    const { seat, json, output, signal } = this.#parts;
    const shown = price === undefined ? {} : { price };
    if (!json && price !== undefined) output.line(`the price is ${price} scrip`);
    const answer = await seat.act({ action }, signal);
    if (!answer.ok) return { problem: answer.problem, ...shown };
    const outcome = answer.value;
    this.#noteFound(outcome);
    if (!outcome.success) return { problem: outcome.message, ...shown, result: outcome };
    return { ...shown, result: outcome, show: (to) => showOutcome(to, outcome) };
  }

  /** Remembers the prices that a search has shown. */
  #noteFound({ target, result }: SeatOutcome): void {
    if (target !== "genesis_store" || !isList(result)) return;
    for (const found of result) {
      if (!isObject(found) || typeof found.id !== "string") continue;
      const { id, price, read_price, executable, methods } = found;
      this.#known.set(id, {
        price: Number(price),
        read_price: Number(read_price),
        executable: executable === true,
        methods: isList(methods) ? methods.map(String) : [],
      });
    }
  }

  async #knownOf(id: string): Promise<Known | null> {
    if (!this.#known.has(id)) await this.#lookAgain();
    return this.#known.get(id) ?? null;
  }

  #priceOf(of: Extract<SeatCommand, { kind: "act" }>["of"]): number | undefined {
    return of === undefined ? undefined : this.#known.get(of.id)?.[of.field];
  }
}

const WOKE = {
  move: "it is your move",
  timeout: "no message has arrived",
  no_move: "you cannot move any more; look says why",
} as const;
