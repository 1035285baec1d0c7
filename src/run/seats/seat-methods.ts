import {
  asId,
  liveArtifact,
  mailboxOf,
  must,
  physicsOf,
  VIEW_BOUNDS,
  type View,
  viewOf,
} from "../../kernel/index.ts";
import { readableAction, sleepOf } from "../../mind/index.ts";
import { meantOrAll } from "../../text/index.ts";
import { withDefaultMaxPrice } from "../agents/agent-loop.ts";
import {
  type ControlAnswer,
  type ControlCall,
  controlFailure,
  OVER,
  type ParamsOf,
  type ResultOf,
  refused,
  type SeatMethods,
} from "../control/protocol.ts";
import { type SeatOutcome, seatLook } from "../control/seat-look.ts";
import { untilFailed } from "../core/journal-failure.ts";
import type { SimulationRunner } from "../course/simulation-runner.ts";
import { CANCELLED, type GivenMove } from "./seat.ts";
import type { OpenSeat } from "./seats.ts";

type Given = { readonly agent: string; readonly token: string };
type Awoken = ResultOf<"seat_wait">;
type Woke = Awoken["woke"];
type WaitParams = Omit<ParamsOf<"seat_wait">, keyof Given>;
type MoveParams = Omit<ParamsOf<"seat_act">, keyof Given> & { readonly isWait?: boolean };

/** What clients with the token of a seat can do. */
export const seatMethods = (runner: SimulationRunner): SeatMethods => {
  const table = new SeatTable(runner);
  return {
    seat_look: (params, call) => table.at(params, call, (open) => table.look(open, call)),
    seat_act: (params, call) => table.at(params, call, (open) => table.act(open, params, call)),
    seat_wait: (params, call) => table.at(params, call, (open) => table.wait(open, params, call)),
    seat_page: (params, call) => table.at(params, call, () => table.page(params.page)),
  };
};

/** Answers the clients of all seats of a run. */
class SeatTable {
  readonly #runner: SimulationRunner;

  constructor(runner: SimulationRunner) {
    this.#runner = runner;
  }

  /** Calls `use` with the seat of the client, or says why it has none. */
  async at<Value>(
    { agent, token }: Given,
    { closed }: ControlCall,
    use: (open: OpenSeat) => ControlAnswer<Value> | Promise<ControlAnswer<Value>>,
  ): Promise<ControlAnswer<Value>> {
    const { seats, journal } = this.#runner;
    if (seats.isOver) return OVER;
    const open = seats.openWith(agent, token);
    if (!open.ok) return refused(open.problem);
    open.seat.addClient(closed);
    const answer = await untilFailed(async () => {
      const used = await use(open);
      if (used.ok) await journal.durable();
      return used;
    });
    return typeof answer === "string" ? refused(answer) : answer;
  }

  /**
   * On the virtual clock, waits until the seat is to move, and until then the world changes at full
   * speed. Looks at once if the run is paused, or if the seat has no next step.
   */
  async look(
    { seat, id }: OpenSeat,
    { signal }: ControlCall,
  ): Promise<ControlAnswer<ResultOf<"seat_look">>> {
    const { clock, seats } = this.#runner;
    const isStill = (): true | null =>
      clock.kind === "wall" || clock.held || seat.isToMove || this.#isOut(id) ? true : null;
    await seat.until(isStill, signal);
    if (seats.isOver) return OVER;
    // The client does not see this look, so its messages stay news.
    if (signal.aborted) return controlFailure("no_answer", CANCELLED);
    const view = this.#viewOf(id);
    const look = seatLook(view, { clock: clock.kind, to_move: seat.isToMove });
    const lastShown = view.mailbox.unread[look.mailbox.unread.length - 1]?.number ?? 0;
    seat.noteLook(lastShown, view);
    return { ok: true, value: look };
  }

  async act(
    { seat, id }: OpenSeat,
    { action, reasoning = "", sleep, isWait = false }: MoveParams,
    { signal }: Pick<ControlCall, "signal">,
  ): Promise<ControlAnswer<SeatOutcome>> {
    const { state } = this.#runner.world;
    const read = readableAction(action, physicsOf(state).artifacts.json_depth_max);
    if (!read.ok) return refused(read.problem);
    const { message: read_through, prices } = seat.shown;
    const move: GivenMove = {
      kind: "move",
      action: withDefaultMaxPrice(read.action, prices ?? this.#viewOf(id)),
      reasoning,
      sleep: sleep === undefined ? null : sleepOf(sleep),
      read_through,
      isWait,
    };
    return await seat.act(
      move,
      must(state.agents.get(id), `a seat must be an agent: ${id}`),
      signal,
    );
  }

  async wait(
    open: OpenSeat,
    { until, timeout_s }: WaitParams,
    { signal }: ControlCall,
  ): Promise<ControlAnswer<Awoken>> {
    const { clock, seats } = this.#runner;
    const endMs = until === "move" ? clock.now() + timeout_s * 1000 : Number.POSITIVE_INFINITY;
    const woke = await (clock.kind === "wall"
      ? this.#waitRealTime(open, { until, timeout_s }, signal)
      : this.#waitForMove(open, signal, endMs));
    if (seats.isOver) return OVER;
    if (clock.kind === "virtual" && until === "message" && woke === "move") {
      return await this.#sleep(open, clock.now() + timeout_s * 1000, signal);
    }
    return { ok: true, value: { woke, at_ms: clock.now() } };
  }

  /**
   * Lets time pass on the virtual clock until a message arrives, or until `untilMs`. This is a move
   * of the seat, because the world waits for its move. One sleep can be shorter than the whole.
   */
  async #sleep(
    open: OpenSeat,
    untilMs: number,
    signal: AbortSignal,
  ): Promise<ControlAnswer<Awoken>> {
    const { clock, seats } = this.#runner;
    const about = { action: { noop: {} }, reasoning: "it waits for a message", isWait: true };
    for (let woke: Woke = "move"; ; ) {
      const isNews = this.#hasNews(open);
      if (isNews || woke !== "move" || clock.now() >= untilMs) {
        const because = isNews ? "message" : woke === "move" ? "timeout" : woke;
        return { ok: true, value: { woke: because, at_ms: clock.now() } };
      }
      const sleep = { for_s: (untilMs - clock.now()) / 1000, until: [] };
      const slept = await this.act(open, { ...about, sleep }, { signal });
      if (!slept.ok) return slept;
      woke = await this.#waitForMove(open, signal);
      if (seats.isOver) return OVER;
    }
  }

  page(given: string): ControlAnswer<{ page: string; text: string; pages: string[] }> {
    const { state } = this.#runner.world;
    const pages = [...state.artifacts.keys()].filter((id) => id.startsWith(PAGE));
    const page = given.startsWith(PAGE) ? given : `${PAGE}${given}`;
    const text = pages.some((id) => id === page) ? liveArtifact(state, asId(page))?.content : null;
    if (text != null) return { ok: true, value: { page, text, pages } };
    const names = pages.map((id) => id.slice(PAGE.length));
    return refused(`there is no page "${given}"; ${meantOrAll(given, names)}`);
  }

  /**
   * Waits until the seat is to move, or until the run time has passed `endMs`. Time passes from
   * event to event, so the next event of the world ends a wait that has taken too long.
   */
  async #waitForMove(
    { seat, id }: OpenSeat,
    signal: AbortSignal,
    endMs = Number.POSITIVE_INFINITY,
  ): Promise<Woke> {
    const { clock, seats } = this.#runner;
    const found = (): Woke | null => {
      if (clock.now() > endMs) return "timeout";
      if (seat.isToMove) return "move";
      return seats.isOver || this.#isOut(id) ? "no_move" : null;
    };
    return (await seat.until(found, signal)) ?? "timeout";
  }

  async #waitRealTime(
    open: OpenSeat,
    { until, timeout_s }: WaitParams,
    signal: AbortSignal,
  ): Promise<Woke> {
    const over = AbortSignal.any([signal, AbortSignal.timeout(Math.round(timeout_s * 1000))]);
    if (until === "move") return await this.#waitForMove(open, over);
    const found = (): Woke | null =>
      this.#hasNews(open) || this.#runner.seats.isOver ? "message" : null;
    return (await open.seat.until(found, over)) ?? "timeout";
  }

  /** Whether the seat has an unread message that no look has shown. */
  #hasNews({ seat, id }: OpenSeat): boolean {
    const { unread } = mailboxOf(this.#runner.world.state, id);
    return unread.some(({ number }) => number > seat.shown.message);
  }

  /** Whether nothing that is planned lets the seat move again. */
  #isOut(id: View["id"]): boolean {
    const { world, seats } = this.#runner;
    return seats.isOver || (world.state.agents.get(id)?.due ?? null) === null;
  }

  #viewOf(id: View["id"]): View {
    const { world, clock } = this.#runner;
    // A seat keeps what it has seen while the world changes.
    return { ...viewOf(world.state, id, { now: clock.now(), bounds: VIEW_BOUNDS }) };
  }
}

/** The beginning of the ids of all pages of the handbook. */
const PAGE = "handbook_";
