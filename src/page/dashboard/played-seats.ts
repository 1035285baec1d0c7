import { type Context, Hono, type MiddlewareHandler, type Next } from "hono";
import { jsonIn, must } from "../../kernel/index.ts";
import type { ControlAnswer } from "../../run/index.ts";
import {
  type FoundArtifact,
  foundIn,
  isSameToken,
  SeatClient,
  type SeatCommand,
  type SeatOutcome,
  SeatPlayer,
  seatCommand,
  seatToken,
} from "../../seats/index.ts";
import type { RunStore } from "../routes/index.ts";
import { bearerOf } from "../serving/index.ts";

type SeatParts = {
  readonly store: RunStore;
  /** The token of the dashboard. It opens all seats; the token of a seat opens only that seat. */
  readonly token: string;
};

type Played = { readonly seat: SeatClient; readonly player: SeatPlayer };

/** A page asks every few seconds. A page that was closed frees its seat after this time. */
const IDLE_MS = 15_000;

/** The seats that people play on the page. Each request is one command as JSON. */
export class PlayedSeats {
  readonly #parts: SeatParts;
  readonly #played = new Map<string, Played>();

  constructor(parts: SeatParts) {
    this.#parts = parts;
  }

  /** The routes. They check the token themselves, because a player has only that of the seat. */
  routes(bodyLimit: MiddlewareHandler): Hono {
    const app = new Hono();
    const path = "/runs/:run/seats/:agent";
    // The body of a client without the token is not read.
    app.post(path, (context, next) => this.#admit(context, next), bodyLimit);
    app.post(path, (context) => this.#answer(context));
    return app;
  }

  close(): void {
    for (const { seat } of this.#played.values()) seat.close();
    this.#played.clear();
  }

  async #admit(context: Context, next: Next): Promise<Response | undefined> {
    const { folder, agent } = this.#placeOf(context);
    const given = bearerOf(context.req.header("authorization")) ?? "";
    const own = folder === null ? null : seatToken(folder, agent);
    const isPlayer = own?.ok === true && isSameToken(given, own.token);
    if (!isSameToken(given, this.#parts.token) && !isPlayer) {
      return context.json({ problem: WRONG_TOKEN }, 401);
    }
    if (folder === null) return context.json({ problem: "this run does not exist" }, 404);
    await next();
    return undefined;
  }

  async #answer(context: Context): Promise<Response> {
    const { folder, agent } = this.#placeOf(context);
    const read = commandIn(await context.req.text());
    if ("problem" in read) return context.json(read, 400);
    const { player } = this.#playedAt(must(folder, "the run was there before"), agent);
    return context.json(await played(player, read.command, context.req.raw.signal));
  }

  #placeOf({ req }: Context): { readonly folder: string | null; readonly agent: string } {
    const { run = "", agent = "" } = req.param();
    return { folder: this.#parts.store.folderOf(run), agent };
  }

  #playedAt(folder: string, agent: string): Played {
    const key = JSON.stringify([folder, agent]);
    const known = this.#played.get(key);
    if (known !== undefined) return known;
    const seat = new SeatClient(folder, agent, IDLE_MS);
    const made = { seat, player: new SeatPlayer(seat) };
    this.#played.set(key, made);
    return made;
  }
}

const WRONG_TOKEN =
  "this request needs the token of the seat; open the full address that " +
  "`sim dashboard RUN --seat NAME` prints";

const commandIn = (text: string): { command: SeatCommand } | { problem: string } => {
  const { data, error } = seatCommand.safeParse(jsonIn(text));
  if (data !== undefined) return { command: data };
  const [issue] = error.issues;
  const place = ["command", ...(issue?.path ?? [])].join(".");
  return { problem: `${place}: ${issue?.message ?? "invalid"}` };
};

/** What a move has done. `found` is what a search has found. */
export type PlayedOutcome = SeatOutcome & { readonly found?: readonly FoundArtifact[] };

const playedOutcome = (outcome: SeatOutcome): PlayedOutcome => {
  const found = foundIn(outcome);
  return found === null ? outcome : { ...outcome, found };
};

const played = async (
  player: SeatPlayer,
  command: SeatCommand,
  signal: AbortSignal,
): Promise<ControlAnswer<object>> => {
  switch (command.kind) {
    case "look":
      return await player.look(signal);
    case "page":
      return await player.page(command.page, signal);
    case "wait":
      return await player.wait(command.seconds, signal);
    default: {
      const prepared = await player.prepare(command, signal);
      const answer = prepared.ok ? await player.act(prepared.action, signal) : prepared;
      return answer.ok ? { ok: true, value: playedOutcome(answer.value) } : answer;
    }
  }
};
