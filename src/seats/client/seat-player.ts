import {
  isList,
  type Json,
  type JsonObject,
  jsonIn,
  type Result,
  type ShownMessage,
  VIEW_BOUNDS,
} from "../../kernel/index.ts";
import { messageAction, searchAction } from "../../mind/index.ts";
import {
  type ControlAnswer,
  type ControlFailure,
  type ResultOf,
  refusal,
} from "../../run/index.ts";
import { listed, meantOrAll } from "../../text/index.ts";
import type { MoveCommand } from "../core/seat-command.ts";
import { foundIn, type SeatLook, type SeatOutcome } from "../core/seat-look.ts";
import type { SEAT_METHODS } from "../core/seat-methods.ts";
import type { SeatClient } from "./seat-client.ts";

type Methods = typeof SEAT_METHODS;

/** What is known of an artifact: from a look, or from a search. */
type Known = {
  readonly price: number;
  readonly read_price: number;
  readonly executable: boolean;
  readonly methods: readonly string[];
};

/** A move, and the price that was shown before it, or null if none was shown. */
type PreparedMove = {
  readonly ok: true;
  readonly action: JsonObject;
  readonly price: number | null;
};

/** A person in a seat, in the terminal or on the page. Remembers the prices that they saw. */
export class SeatPlayer {
  readonly #seat: SeatClient;
  readonly #known = new Map<string, Known>();
  #look: SeatLook | null = null;

  constructor(seat: SeatClient) {
    this.#seat = seat;
  }

  /** The names that the last look and the searches have shown. */
  get names(): readonly string[] {
    const { principals = [], genesis = [] } = this.#look ?? {};
    return [...this.#known.keys(), ...principals, ...genesis];
  }

  async look(signal?: AbortSignal): Promise<ControlAnswer<SeatLook>> {
    const answer = await this.#seat.look(signal);
    if (!answer.ok) return answer;
    this.#look = answer.value;
    const { artifacts, market, texts, offers } = answer.value;
    for (const listing of [artifacts, market, texts, offers].flat()) {
      this.#known.set(listing.id, listing);
    }
    return answer;
  }

  page(page: string, signal?: AbortSignal): Promise<ControlAnswer<ResultOf<Methods["seat_page"]>>> {
    return this.#seat.page(page, signal);
  }

  /** Waits for a message. */
  wait(
    timeout_s: number,
    signal?: AbortSignal,
  ): Promise<ControlAnswer<ResultOf<Methods["seat_wait"]>>> {
    return this.#seat.wait({ until: "message", timeout_s }, signal);
  }

  /** Makes a move. Resolves when its action has ended. */
  async act(action: JsonObject, signal?: AbortSignal): Promise<ControlAnswer<SeatOutcome>> {
    const answer = await this.#seat.act({ action }, signal);
    if (answer.ok) this.#noteFound(answer.value);
    return answer;
  }

  /** The action of a command. Looks again if it does not know the artifact. */
  async prepare(
    command: MoveCommand,
    signal?: AbortSignal,
  ): Promise<PreparedMove | ControlFailure> {
    switch (command.kind) {
      case "search":
        return prepared(searchAction(command.words));
      case "read": {
        const action = { read_artifact: { artifact_id: command.id } };
        return prepared(action, this.#known.get(command.id)?.read_price);
      }
      case "buy":
        return await this.#buying(command, signal);
      case "sell":
        return await this.#selling(command, signal);
      case "send": {
        const { kind: _, ...message } = command;
        return prepared(messageAction(message));
      }
      case "reply":
        return await this.#replying(command, signal);
      case "invoke": {
        const read = readArgs(command.args);
        if (!read.ok) return refusal(read.problem);
        return prepared(
          invoking({ ...command, args: read.args }),
          this.#known.get(command.id)?.price,
        );
      }
      case "write":
        return prepared({ write_artifact: command.fields });
      case "bid": {
        const bid = { id: "genesis_mint", method: "bid", args: [command.id] };
        return prepared(invoking({ ...bid, attach: command.amount }));
      }
    }
  }

  /** Looks first: what the artifact is, and whose, may have changed. */
  async #selling(
    { id, price }: Extract<MoveCommand, { kind: "sell" }>,
    signal: AbortSignal | undefined,
  ): Promise<PreparedMove | ControlFailure> {
    const answer = await this.look(signal);
    if (!answer.ok) return answer;
    const { artifacts, cut } = answer.value;
    const own = artifacts.find((each) => each.id === id);
    if (own === undefined && !cut && artifacts.length < VIEW_BOUNDS.owned) {
      const ids = artifacts.map((each) => each.id);
      const meant = ids.length === 0 ? "you own none yet" : meantOrAll(id, ids);
      return refusal(`you own no artifact "${id}"; ${meant}`);
    }
    const { executable = true } = own ?? this.#known.get(id) ?? {};
    const field = executable ? "price" : "read_price";
    return prepared({ write_artifact: { artifact_id: id, [field]: price } });
  }

  /** Calls a program for its shown price. The world refuses the call if the price has risen. */
  async #buying(
    { id, args, max_price }: Extract<MoveCommand, { kind: "buy" }>,
    signal: AbortSignal | undefined,
  ): Promise<PreparedMove | ControlFailure> {
    const read = readArgs(args);
    if (!read.ok) return refusal(read.problem);
    const known = await this.#knownOf(id, signal);
    if (known === null) {
      return refusal(`${id} is not in the last look or search; search for it, then buy it`);
    }
    const method = known.methods.find((name) => name === "run") ?? known.methods[0];
    if (method === undefined) return refusal(`${id} is a text; \`read ${id}\` reads it`);
    if (known.methods.length > 1 && method !== "run") {
      return refusal(`${id} has ${listed(known.methods, 5)}; write: invoke ${id} METHOD`);
    }
    const price = max_price ?? known.price;
    const call = { artifact_id: id, method, args: [...read.args], max_price: price };
    return prepared({ invoke_artifact: call }, price);
  }

  /** Answers a message of the last look, or of a new one. */
  async #replying(
    { message, text }: Extract<MoveCommand, { kind: "reply" }>,
    signal: AbortSignal | undefined,
  ): Promise<PreparedMove | ControlFailure> {
    const answered = this.#received(message) ?? (await this.#lookFor(message, signal));
    if (answered === undefined) {
      return refusal(`your mailbox has no message ${message}; \`inbox\` shows them`);
    }
    return prepared(messageAction({ to: answered.from, text, reply_to: message }));
  }

  async #lookFor(message: number, signal: AbortSignal | undefined) {
    await this.look(signal);
    return this.#received(message);
  }

  #received(number: number): ShownMessage | undefined {
    const { unread = [], read = [] } = this.#look?.mailbox ?? {};
    return [...unread, ...read].find(({ message }) => message === number);
  }

  async #knownOf(id: string, signal: AbortSignal | undefined): Promise<Known | null> {
    if (!this.#known.has(id)) await this.look(signal);
    return this.#known.get(id) ?? null;
  }

  /** Remembers the prices that a search has shown. */
  #noteFound(outcome: SeatOutcome): void {
    for (const found of foundIn(outcome) ?? []) this.#known.set(found.id, found);
  }
}

/** Reads arguments. The texts `[21, 2]` and `21, 2` are two arguments; `[[21, 2]]` is one list. */
const readArgs = (given: string | readonly Json[]): Result<{ args: readonly Json[] }> => {
  if (typeof given !== "string") return { ok: true, args: given };
  const text = given.trim();
  const args = jsonIn(text.startsWith("[") ? text : `[${text}]`);
  if (isList(args)) return { ok: true, args };
  const cure = 'write values with commas between them, such as 21, "a text", [1, 2]';
  return { ok: false, problem: `"${text}" is not JSON; ${cure}` };
};

const prepared = (action: JsonObject, price: number | null = null): PreparedMove => ({
  ok: true,
  action,
  price,
});

type Call = {
  readonly id: string;
  readonly method: string;
  readonly args: readonly Json[];
  readonly attach?: number | undefined;
};

const invoking = ({ id, method, args, attach }: Call): JsonObject => ({
  invoke_artifact: {
    artifact_id: id,
    method,
    args: [...args],
    ...(attach === undefined ? {} : { attach: { scrip: attach } }),
  },
});
