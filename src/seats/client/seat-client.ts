import {
  type ControlAnswer,
  type ControlClient,
  type ControlFailure,
  connectToRun,
  type ParamsOf,
  type ResultOf,
} from "../../run/index.ts";
import { SEAT_METHODS } from "../core/seat-methods.ts";
import { seatToken } from "../core/seat-token.ts";

type Methods = typeof SEAT_METHODS;
type Params<Name extends keyof Methods> = Omit<ParamsOf<Methods[Name]>, "agent" | "token">;
type Answer<Name extends keyof Methods> = Promise<ControlAnswer<ResultOf<Methods[Name]>>>;

type Connection = {
  readonly ok: true;
  readonly client: ControlClient<Methods>;
  readonly token: string;
};

/**
 * Takes a seat of the live run in `folder`, with the token from the folder. The seat counts as
 * taken until `close`. Only the user of the run can read the token. Fails at once if the run
 * refuses the token.
 */
export const takeSeat = async (
  folder: string,
  agent: string,
): Promise<{ readonly ok: true; readonly seat: SeatClient } | ControlFailure> => {
  const seat = new SeatClient(folder, agent);
  const connected = await seat.connect();
  return connected.ok ? { ok: true, seat } : connected;
};

/**
 * A seat of a run, over its own connection. Each call can be cancelled by its signal. The run may
 * stop and be resumed: a call without a connection connects again.
 */
export class SeatClient {
  readonly agent: string;
  readonly #folder: string;
  readonly #idleMs: number | null;
  #connection: Connection | null = null;
  #connecting: Promise<Connection | ControlFailure> | null = null;
  #calls = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  /** @param idleMs closes the connection after this time without a call. Null: keeps it open. */
  constructor(folder: string, agent: string, idleMs: number | null = null) {
    this.#folder = folder;
    this.agent = agent;
    this.#idleMs = idleMs;
  }

  get isOpen(): boolean {
    return this.#connection !== null;
  }

  async connect(): Promise<Connection | ControlFailure> {
    if (this.#connection !== null) return this.#connection;
    this.#connecting ??= this.#opened();
    const connected = await this.#connecting;
    this.#connecting = null;
    if (connected.ok) this.#connection = connected;
    return connected;
  }

  look(signal?: AbortSignal): Answer<"seat_look"> {
    return this.#call("seat_look", {}, signal);
  }

  act(move: Params<"seat_act">, signal?: AbortSignal): Answer<"seat_act"> {
    return this.#call("seat_act", move, signal);
  }

  wait(wait: Params<"seat_wait">, signal?: AbortSignal): Answer<"seat_wait"> {
    return this.#call("seat_wait", wait, signal);
  }

  page(page: string, signal?: AbortSignal): Answer<"seat_page"> {
    return this.#call("seat_page", { page }, signal);
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#connection?.client.close();
    this.#connection = null;
  }

  async #call<Name extends keyof Methods>(
    name: Name,
    params: Params<Name>,
    signal: AbortSignal | undefined,
  ): Answer<Name> {
    this.#calls += 1;
    clearTimeout(this.#idle);
    try {
      const connected = await this.connect();
      if (!connected.ok) return connected;
      const { client, token } = connected;
      const whole = { agent: this.agent, token, ...params } as ParamsOf<Methods[Name]>;
      const answer = await client.call(name, whole, signal);
      const isOver = !answer.ok && answer.reason === "not_running";
      if (isOver && this.#connection === connected) this.close();
      return answer;
    } finally {
      this.#calls -= 1;
      if (this.#idleMs !== null && this.#calls === 0 && this.isOpen) {
        this.#idle = setTimeout(() => this.close(), this.#idleMs);
      }
    }
  }

  async #opened(): Promise<Connection | ControlFailure> {
    const { agent } = this;
    const given = seatToken(this.#folder, agent);
    if (!given.ok) return given;
    const connected = await connectToRun(this.#folder, SEAT_METHODS);
    if (!connected.ok) return connected;
    const { client } = connected;
    const { token } = given;
    // A client counts as connected from its first request.
    const shown = await client.call("seat_page", { agent, token, page: "toc" });
    if (shown.ok) return { ok: true, client, token };
    client.close();
    return shown;
  }
}
