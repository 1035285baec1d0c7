import { randomBytes } from "node:crypto";
import { basename } from "node:path";
import {
  asId,
  type Event,
  type Id,
  isObject,
  jsonIn,
  liveArtifact,
  mailboxOf,
  must,
  physicsOf,
  VIEW_BOUNDS,
  type View,
  viewOf,
} from "../../kernel/index.ts";
import {
  PLAYED_MINDS,
  readableAction,
  type SeatMove,
  type SeatSource,
  sleepOf,
} from "../../mind/index.ts";
import {
  agentContents,
  type ControlAnswer,
  type ControlCall,
  type ControlMethods,
  controlFailure,
  controlMethod,
  type FeatureRun,
  type OpenFeature,
  type ParamsOf,
  type ResultOf,
  RUN_OVER,
  type RunFeature,
  refusal,
  untilFailed,
  withDefaultMaxPrice,
} from "../../run/index.ts";
import { meantOrAll } from "../../text/index.ts";
import { type SeatOutcome, seatLook } from "../core/seat-look.ts";
import { SEAT_METHODS } from "../core/seat-methods.ts";
import { isSameToken, readTokens, writeTokens } from "../core/seat-token.ts";
import { CANCELLED, Seat } from "./seat.ts";

/** Seats: agents that clients move over the control channel of their run. */
export const seatFeature: RunFeature<Seats> = { name: "seats", open: (run) => new Seats(run) };

type Params<Name extends keyof typeof SEAT_METHODS> = ParamsOf<(typeof SEAT_METHODS)[Name]>;
type Awoken = ResultOf<(typeof SEAT_METHODS)["seat_wait"]>;
type Woke = Awoken["woke"];
type Move = Pick<Params<"seat_act">, "action" | "reasoning" | "sleep">;

/**
 * The seats of a run, and their tokens. Moves arrive over the control channel. Without it, no
 * client can reach a seat. What a seat has seen and what it waits for is not part of the world: a
 * run that is resumed waits for the same move again.
 */
export class Seats implements OpenFeature, SeatSource {
  readonly sources: { readonly seats: SeatSource } = { seats: this };
  readonly #run: FeatureRun;
  readonly #seats = new Map<string, Seat>();
  /** The token of each seat. Null while no client can connect. */
  #tokens: Map<string, string> | null = null;

  constructor(run: FeatureRun) {
    this.#run = run;
    run.signal.addEventListener("abort", () => {
      for (const seat of this.#seats.values()) seat.close();
    });
  }

  get clock(): SeatSource["clock"] {
    return this.#run.clock.kind;
  }

  /** Whether clients can take the seats. */
  get isOpen(): boolean {
    return this.#tokens !== null;
  }

  /** Lets clients take the seats. Returns why the tokens cannot be read or written, or null. */
  controlled(): string | null {
    const { world, folder } = this.#run;
    const read = readTokens(folder);
    // New tokens would lock out all clients of the run.
    if (!read.ok) return read.problem;
    this.#tokens = new Map(Object.entries(read.tokens));
    const agents = agentContents(world.state).filter(({ content }) => clientMind(content) !== null);
    return this.#addTokens(agents.map(({ id }) => id));
  }

  nextMove(
    { id, absentAfterMs }: Parameters<SeatSource["nextMove"]>[0],
    signal: AbortSignal,
  ): Promise<SeatMove> {
    if (this.#tokens === null) return Promise.resolve({ kind: "unreachable" });
    const problem = this.#addTokens([id]);
    if (problem !== null) this.#run.warn(problem);
    return this.#seatOf(asId(id)).nextMove(absentAfterMs, signal);
  }

  /** The number of the last message that the seat has seen. */
  shownMessage(id: string): number {
    return this.#seatOf(asId(id)).shown.message;
  }

  onEvents(events: readonly Event[]): void {
    for (const seat of this.#seats.values()) {
      const agent = this.#run.world.state.agents.get(seat.id);
      if (agent !== undefined) seat.onEvents(events, agent);
    }
  }

  /** Lets clients that wait look again. */
  onPace(): void {
    for (const seat of this.#seats.values()) seat.checkWaiting();
  }

  /** What clients with the token of a seat can do. */
  methods(): ControlMethods {
    const { seat_look, seat_act, seat_wait, seat_page } = SEAT_METHODS;
    return {
      seat_look: controlMethod(seat_look, (given, call) =>
        this.#at(given, call, (seat) => this.#look(seat, call.signal)),
      ),
      seat_act: controlMethod(seat_act, (given, call) =>
        this.#at(given, call, (seat) => this.#act(seat, given, false, call.signal)),
      ),
      seat_wait: controlMethod(seat_wait, (given, call) =>
        this.#at(given, call, (seat) => this.#wait(seat, given, call.signal)),
      ),
      seat_page: controlMethod(seat_page, (given, call) =>
        this.#at(given, call, async () => this.#page(given.page)),
      ),
    };
  }

  /** Calls `use` with the seat of the client, or says why it has none. */
  async #at<Value>(
    { agent: id, token }: { readonly agent: string; readonly token: string },
    { closed }: ControlCall,
    use: (seat: Seat) => Promise<ControlAnswer<Value>>,
  ): Promise<ControlAnswer<Value>> {
    if (this.#isOver) return RUN_OVER;
    const problem = this.#refusalOf(id, token);
    if (problem !== null) return refusal(problem);
    const seat = this.#seatOf(asId(id));
    seat.addClient(closed);
    const answer = await untilFailed(async () => {
      const used = await use(seat);
      if (used.ok) await this.#run.journal.durable();
      return used;
    });
    return typeof answer === "string" ? refusal(answer) : answer;
  }

  /** Why a client does not get a seat, or null. Says nothing else without the right token. */
  #refusalOf(id: string, token: string): string | null {
    const { state } = this.#run.world;
    const known = this.#tokens?.get(id);
    if (known === undefined || !state.agents.has(asId(id))) {
      return `there is no seat "${id}"; ${meantOrAll(id, [...(this.#tokens?.keys() ?? [])])}`;
    }
    if (!isSameToken(token, known)) return `this is not the token of the seat of ${id}`;
    const mind = clientMind(liveArtifact(state, asId(id))?.content ?? "");
    return mind === null ? `${id} is not a seat any more: it has another mind` : null;
  }

  /**
   * On the virtual clock, waits until the seat is to move, and until then the world changes at full
   * speed. Looks at once if the run is paused, or if the seat has no next step.
   */
  async #look(
    seat: Seat,
    signal: AbortSignal,
  ): Promise<ControlAnswer<ReturnType<typeof seatLook>>> {
    const { clock } = this.#run;
    const isStill = (): true | null =>
      clock.kind === "wall" || clock.held || seat.isToMove || this.#isOut(seat) ? true : null;
    await seat.until(isStill, signal);
    if (this.#isOver) return RUN_OVER;
    // The client does not see this look, so its messages stay news.
    if (signal.aborted) return controlFailure("no_answer", CANCELLED);
    const view = this.#viewOf(seat.id);
    const look = seatLook(view, { clock: clock.kind, to_move: seat.isToMove });
    const lastShown = view.mailbox.unread[look.mailbox.unread.length - 1]?.number ?? 0;
    seat.noteLook(lastShown, view);
    return { ok: true, value: look };
  }

  async #act(
    seat: Seat,
    { action, reasoning = "", sleep }: Move,
    isWait: boolean,
    signal: AbortSignal,
  ): Promise<ControlAnswer<SeatOutcome>> {
    const { state } = this.#run.world;
    const read = readableAction(action, physicsOf(state).artifacts.json_depth_max);
    if (!read.ok) return refusal(read.problem);
    const { message: read_through, prices } = seat.shown;
    const move = {
      kind: "move",
      action: withDefaultMaxPrice(read.action, prices ?? this.#viewOf(seat.id)),
      reasoning,
      sleep: sleep === undefined ? null : sleepOf(sleep),
      read_through,
      isWait,
    } as const;
    const agent = must(state.agents.get(seat.id), `a seat must be an agent: ${seat.id}`);
    return await seat.act(move, agent, signal);
  }

  async #wait(
    seat: Seat,
    { until, timeout_s }: Pick<Params<"seat_wait">, "until" | "timeout_s">,
    signal: AbortSignal,
  ): Promise<ControlAnswer<Awoken>> {
    const { clock } = this.#run;
    const timeoutMs = timeout_s * 1000;
    let woke: Woke;
    if (clock.kind === "virtual") {
      woke = await this.#untilMove(seat, signal, until === "move" ? clock.now() + timeoutMs : null);
    } else {
      const over = AbortSignal.any([signal, AbortSignal.timeout(Math.round(timeoutMs))]);
      const news = (): Woke | null => (this.#hasNews(seat) || this.#isOver ? "message" : null);
      woke =
        until === "move"
          ? await this.#untilMove(seat, over, null)
          : ((await seat.until(news, over)) ?? "timeout");
    }
    if (this.#isOver) return RUN_OVER;
    if (clock.kind === "virtual" && until === "message" && woke === "move") {
      return await this.#sleep(seat, clock.now() + timeoutMs, signal);
    }
    return { ok: true, value: { woke, at_ms: clock.now() } };
  }

  /**
   * Lets time pass on the virtual clock until a message arrives, or until `untilMs`. This is a move
   * of the seat, because the world waits for its move. One sleep can be shorter than the whole.
   */
  async #sleep(seat: Seat, untilMs: number, signal: AbortSignal): Promise<ControlAnswer<Awoken>> {
    const { clock } = this.#run;
    for (let woke: Woke = "move"; ; ) {
      const isNews = this.#hasNews(seat);
      if (isNews || woke !== "move" || clock.now() >= untilMs) {
        const because = isNews ? "message" : woke === "move" ? "timeout" : woke;
        return { ok: true, value: { woke: because, at_ms: clock.now() } };
      }
      const sleep = { for_s: (untilMs - clock.now()) / 1000, until: [] };
      const move = { action: { noop: {} }, reasoning: "it waits for a message", sleep };
      const slept = await this.#act(seat, move, true, signal);
      if (!slept.ok) return slept;
      woke = await this.#untilMove(seat, signal, null);
      if (this.#isOver) return RUN_OVER;
    }
  }

  #page(given: string): ControlAnswer<{ page: string; text: string; pages: string[] }> {
    const { state } = this.#run.world;
    const pages = [...state.artifacts.keys()].filter((id) => id.startsWith(PAGE));
    const page = given.startsWith(PAGE) ? given : `${PAGE}${given}`;
    const text = pages.some((id) => id === page) ? liveArtifact(state, asId(page))?.content : null;
    if (text != null) return { ok: true, value: { page, text, pages } };
    const names = pages.map((id) => id.slice(PAGE.length));
    return refusal(`there is no page "${given}"; ${meantOrAll(given, names)}`);
  }

  /**
   * Waits until the seat is to move, or until the run time has passed `endMs`. Time passes from
   * event to event, so the next event of the world ends a wait that has taken too long.
   */
  async #untilMove(seat: Seat, signal: AbortSignal, endMs: number | null): Promise<Woke> {
    const found = (): Woke | null => {
      if (endMs !== null && this.#run.clock.now() > endMs) return "timeout";
      if (seat.isToMove) return "move";
      return this.#isOut(seat) ? "no_move" : null;
    };
    return (await seat.until(found, signal)) ?? "timeout";
  }

  get #isOver(): boolean {
    return this.#run.signal.aborted;
  }

  /** Whether the seat has an unread message that no look has shown. */
  #hasNews(seat: Seat): boolean {
    const { unread } = mailboxOf(this.#run.world.state, seat.id);
    return unread.some(({ number }) => number > seat.shown.message);
  }

  /** Whether nothing that is planned lets the seat move again. */
  #isOut({ id }: Seat): boolean {
    return this.#isOver || (this.#run.world.state.agents.get(id)?.due ?? null) === null;
  }

  #viewOf(id: Id): View {
    const { world, clock } = this.#run;
    // A seat keeps what it has seen while the world changes.
    return { ...viewOf(world.state, id, { now: clock.now(), bounds: VIEW_BOUNDS }) };
  }

  #seatOf(id: Id): Seat {
    const known = this.#seats.get(id);
    if (known !== undefined) return known;
    const seat = new Seat(id, this.#run.signal, () => this.#noteAlone(id));
    this.#seats.set(id, seat);
    return seat;
  }

  /** Says that a seat is to move and no client has taken it. On the wall clock, only it waits. */
  #noteAlone(id: Id): void {
    const { clock, folder, note } = this.#run;
    if (clock.kind === "wall") return;
    const take = `\`sim seat ${basename(folder)} ${id}\` takes the seat`;
    note(`the run waits for a move of ${id}; ${take}`);
  }

  #addTokens(ids: readonly string[]): string | null {
    const tokens = this.#tokens ?? new Map<string, string>();
    const without = ids.filter((id) => !tokens.has(id));
    for (const id of without) tokens.set(id, randomBytes(TOKEN_BYTES).toString("base64url"));
    if (without.length === 0) return null;
    return writeTokens(this.#run.folder, Object.fromEntries(tokens));
  }
}

const TOKEN_BYTES = 24;

/** The beginning of the ids of all pages of the handbook. */
const PAGE = "handbook_";

/**
 * The mind of an agent that clients move, or null for other minds. `content` is its configuration
 * as JSON text.
 */
export const clientMind = (content: string): (typeof PLAYED_MINDS)[number] | null => {
  // Most agents have other minds, and a run can have very many.
  if (!PLAYED_MINDS.some((mind) => content.includes(`"${mind}"`))) return null;
  const config = jsonIn(content);
  return isObject(config) ? (PLAYED_MINDS.find((mind) => config.mind === mind) ?? null) : null;
};
