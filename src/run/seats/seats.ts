import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import {
  asId,
  type Event,
  type Id,
  isObject,
  jsonIn,
  liveArtifact,
  type Result,
  type State,
} from "../../kernel/index.ts";
import type { SeatMove, SeatSource } from "../../mind/index.ts";
import { meantOrAll } from "../../text/index.ts";
import type { Clock, World } from "../../world/index.ts";
import { readSeatsFile, writeSeatsFile } from "../files/run-files.ts";
import { agentContents } from "../minds/agent-contents.ts";
import { Seat } from "./seat.ts";

type SeatsParts = {
  readonly world: World;
  readonly clock: Clock;
  /** The folder of the run, which keeps the tokens. */
  readonly folder: string;
  readonly warn: (text: string) => void;
  /** Aborts when the run ends. */
  readonly signal: AbortSignal;
};

/** A seat that a client has shown the token of. */
export type OpenSeat = { readonly seat: Seat; readonly id: Id };

/**
 * The seats of a run, and their tokens. Moves arrive over the control channel. Without it, no
 * client can reach a seat. What a seat has seen and what it waits for is not part of the world: a
 * run that is resumed waits for the same move again.
 */
export class Seats implements SeatSource {
  readonly #parts: SeatsParts;
  readonly #seats = new Map<string, Seat>();
  readonly #aloneListeners = new Set<(agent: string) => void>();
  /** The token of each seat. Null while no client can connect. */
  #tokens: Map<string, string> | null = null;

  constructor(parts: SeatsParts) {
    this.#parts = parts;
    parts.signal.addEventListener("abort", () => {
      for (const seat of this.#seats.values()) seat.close();
    });
  }

  get clock(): SeatSource["clock"] {
    return this.#parts.clock.kind;
  }

  /** True after the end of the run. */
  get isOver(): boolean {
    return this.#parts.signal.aborted;
  }

  /** Lets clients take the seats. Returns why the tokens cannot be written, or null. */
  open(): string | null {
    const { world, folder } = this.#parts;
    this.#tokens = new Map(Object.entries(readSeatsFile(folder)));
    return this.#addTokens(
      agentContents(world.state)
        .filter((agent) => clientMind(agent) !== null)
        .map(idOf),
    );
  }

  nextMove: SeatSource["nextMove"] = ({ id, absentAfterMs }, signal): Promise<SeatMove> => {
    if (this.#tokens === null) return Promise.resolve({ kind: "unreachable" });
    const problem = this.#addTokens([id]);
    if (problem !== null) this.#parts.warn(problem);
    return this.#seatOf(id).nextMove(absentAfterMs, signal);
  };

  /** The agents that a coding agent moves. */
  programs(): readonly string[] {
    const agents = agentContents(this.#parts.world.state);
    return agents.filter((agent) => clientMind(agent) === "cli").map(idOf);
  }

  /** Whether clients can take the seats. */
  get isOpen(): boolean {
    return this.#tokens !== null;
  }

  /** The number of the last message that the seat has seen. */
  shownMessage(id: string): number {
    return this.#seatOf(id).shown.message;
  }

  /** The seat of an agent for a client with its token. Says nothing else to other clients. */
  openWith(id: string, token: string): Result<OpenSeat> {
    const { state } = this.#parts.world;
    const known = this.#tokens?.get(id);
    if (known === undefined || !state.agents.has(asId(id))) {
      const ids = [...(this.#tokens?.keys() ?? [])];
      return { ok: false, problem: `there is no seat "${id}"; ${meantOrAll(id, ids)}` };
    }
    if (!isSameToken(token, known)) {
      return { ok: false, problem: `this is not the token of the seat of ${id}` };
    }
    if (clientMind({ content: contentOf(state, id) }) === null) {
      return { ok: false, problem: `${id} is not a seat any more: it has another mind` };
    }
    return { ok: true, seat: this.#seatOf(id), id: asId(id) };
  }

  onEvents(events: readonly Event[]): void {
    for (const [id, seat] of this.#seats) {
      const agent = this.#parts.world.state.agents.get(asId(id));
      if (agent !== undefined) seat.onEvents(events, agent);
    }
  }

  /** Lets clients that wait look again, because the run was paused or continued. */
  onPace(): void {
    for (const seat of this.#seats.values()) seat.checkWaiting();
  }

  /**
   * Calls `listener` when a seat is to move and no client has taken it: once for each seat, and
   * again after a client has left. Returns a function that ends this.
   */
  onAlone(listener: (agent: string) => void): () => void {
    this.#aloneListeners.add(listener);
    return () => this.#aloneListeners.delete(listener);
  }

  #seatOf(id: string): Seat {
    const known = this.#seats.get(id);
    if (known !== undefined) return known;
    const onAlone = (): void => {
      for (const listener of this.#aloneListeners) listener(id);
    };
    const seat = new Seat({ id, ending: this.#parts.signal, onAlone });
    this.#seats.set(id, seat);
    return seat;
  }

  #addTokens(ids: readonly string[]): string | null {
    const tokens = this.#tokens ?? new Map<string, string>();
    const without = ids.filter((id) => !tokens.has(id));
    for (const id of without) tokens.set(id, randomBytes(TOKEN_BYTES).toString("base64url"));
    if (without.length === 0) return null;
    return writeSeatsFile(this.#parts.folder, Object.fromEntries(tokens));
  }
}

const TOKEN_BYTES = 24;

const idOf = ({ id }: { readonly id: string }): string => id;

const contentOf = (state: State, id: string): string =>
  liveArtifact(state, asId(id))?.content ?? "";

const CLIENT_MINDS = ["seat", "cli"] as const;

/**
 * The mind of an agent that clients move: people and other programs (`seat`), or the program that
 * makes its turns (`cli`). Null for other minds. `content` is its configuration as JSON text.
 */
export const clientMind = ({
  content,
}: {
  readonly content: string;
}): (typeof CLIENT_MINDS)[number] | null => {
  // Most agents have other minds, and a run can have very many.
  if (!CLIENT_MINDS.some((mind) => content.includes(`"${mind}"`))) return null;
  const config = jsonIn(content);
  return isObject(config) ? (CLIENT_MINDS.find((mind) => config.mind === mind) ?? null) : null;
};

/** Takes the same time for all wrong tokens. */
export const isSameToken = (given: string, token: string): boolean => {
  const [one, other] = [given, token].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
};
