import { type Context, Hono } from "hono";
import { jsonIn } from "../../kernel/index.ts";
import {
  type ControlAnswer,
  isSameToken,
  type SeatCommand,
  SeatLink,
  SeatPlayer,
  seatCommand,
  seatToken,
} from "../../runner/index.ts";
import { bearerOf } from "./guard.ts";
import type { RunStore } from "./run-store.ts";

type SeatParts = {
  readonly store: RunStore;
  /** The token of the dashboard. It opens all seats; the token of a seat opens only that seat. */
  readonly token: string;
};

type Played = { readonly link: SeatLink; readonly player: SeatPlayer };

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
  routes(): Hono {
    const app = new Hono();
    app.post("/runs/:run/seats/:agent", (context) => this.#answer(context));
    return app;
  }

  close(): void {
    for (const { link } of this.#played.values()) link.close();
    this.#played.clear();
  }

  async #answer(context: Context): Promise<Response> {
    const { run = "", agent = "" } = context.req.param();
    const folder = this.#parts.store.folderOf(run);
    const given = bearerOf(context.req.header("authorization")) ?? "";
    const isOperator = isSameToken(given, this.#parts.token);
    const own = folder === null ? null : seatToken(folder, agent);
    const isPlayer = own?.ok === true && isSameToken(given, own.token);
    if (!isOperator && !isPlayer) {
      return context.json({ problem: WRONG_TOKEN }, 401);
    }
    if (folder === null) return context.json({ problem: "this run does not exist" }, 404);
    const read = commandIn(await context.req.text());
    if ("problem" in read) return context.json(read, 400);
    const { player } = this.#playedAt(folder, agent);
    return context.json(await played(player, read.command, context.req.raw.signal));
  }

  #playedAt(folder: string, agent: string): Played {
    const key = JSON.stringify([folder, agent]);
    const known = this.#played.get(key);
    if (known !== undefined) return known;
    const link = new SeatLink(folder, agent, { idleMs: IDLE_MS });
    const made = { link, player: new SeatPlayer(link) };
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
      return prepared.ok ? await player.act(prepared.action, signal) : prepared;
    }
  }
};
