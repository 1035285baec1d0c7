import { basename } from "node:path";
import { meantOrAll } from "../../text/index.ts";
import { connectToRun } from "../control/connect.ts";
import type { ControlClient } from "../control/control-client.ts";
import {
  type ControlAnswer,
  type ControlFailure,
  type ParamsOf,
  type ResultOf,
  refused,
  type SeatMethods,
} from "../control/protocol.ts";
import { readSeatsFile } from "../files/run-files.ts";

type SeatMethod = keyof SeatMethods;
type Params<Name extends SeatMethod> = Omit<ParamsOf<Name>, "agent" | "token">;
type Answer<Name extends SeatMethod> = Promise<ControlAnswer<ResultOf<Name>>>;

type Taken = { readonly ok: true; readonly seat: SeatClient } | ControlFailure;

type Token = { readonly ok: true; readonly token: string } | ControlFailure;

/** The token of a seat of the run in `folder`, or which seats the run has. */
export const seatToken = (folder: string, agent: string): Token => {
  const tokens = readSeatsFile(folder);
  const token = Object.hasOwn(tokens, agent) ? tokens[agent] : undefined;
  if (token !== undefined) return { ok: true, token };
  const ids = Object.keys(tokens);
  const run = basename(folder);
  return refused(
    ids.length === 0
      ? `${run} has no seats; give a persona \`mind: seat\``
      : `${run} has no seat "${agent}"; ${meantOrAll(agent, ids)}`,
  );
};

/**
 * Takes a seat of the live run in `folder`, with the token from the folder. The seat counts as
 * taken until `close`. Only the user of the run can read the token. Fails at once if the run
 * refuses the token.
 */
export const takeSeat = async (folder: string, agent: string): Promise<Taken> => {
  const given = seatToken(folder, agent);
  if (!given.ok) return given;
  const connected = await connectToRun(folder);
  if (!connected.ok) return connected;
  const seat = new SeatClient(connected.client, agent, given.token);
  // A client counts as connected from its first request.
  const shown = await seat.page("toc");
  if (shown.ok) return { ok: true, seat };
  seat.close();
  return shown;
};

/** A seat of a live run, over its own connection. Each call can be cancelled by its signal. */
export class SeatClient {
  readonly agent: string;
  readonly token: string;
  readonly #client: ControlClient;

  constructor(client: ControlClient, agent: string, token: string) {
    this.#client = client;
    this.agent = agent;
    this.token = token;
  }

  look(signal?: AbortSignal): Answer<"seat_look"> {
    return this.#client.call("seat_look", this.#seat, signal);
  }

  act(move: Params<"seat_act">, signal?: AbortSignal): Answer<"seat_act"> {
    return this.#client.call("seat_act", { ...this.#seat, ...move }, signal);
  }

  wait(wait: Params<"seat_wait">, signal?: AbortSignal): Answer<"seat_wait"> {
    return this.#client.call("seat_wait", { ...this.#seat, ...wait }, signal);
  }

  page(page: string, signal?: AbortSignal): Answer<"seat_page"> {
    return this.#client.call("seat_page", { ...this.#seat, page }, signal);
  }

  close(): void {
    this.#client.close();
  }

  get #seat() {
    return { agent: this.agent, token: this.token };
  }
}
