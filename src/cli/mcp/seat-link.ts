import {
  type ControlAnswer,
  type ControlFailure,
  type SeatClient,
  takeSeat,
} from "../../runner/index.ts";

/** A seat of a run that may stop and be resumed. Connects again when it is next used. */
export class SeatLink {
  readonly agent: string;
  readonly #folder: string;
  #seat: SeatClient | null = null;
  #connecting: ReturnType<typeof takeSeat> | null = null;

  constructor(folder: string, agent: string) {
    this.#folder = folder;
    this.agent = agent;
  }

  /** Calls `use` with the seat. The answer is a failure if the run is not running. */
  async call<Value>(
    use: (seat: SeatClient) => Promise<ControlAnswer<Value>>,
  ): Promise<ControlAnswer<Value>> {
    const taken = await this.connect();
    if (!taken.ok) return taken;
    const answer = await use(taken.seat);
    if (!answer.ok && answer.reason === "not_running" && this.#seat === taken.seat) this.close();
    return answer;
  }

  async connect(): Promise<{ readonly ok: true; readonly seat: SeatClient } | ControlFailure> {
    if (this.#seat !== null) return { ok: true, seat: this.#seat };
    this.#connecting ??= takeSeat(this.#folder, this.agent);
    const taken = await this.#connecting;
    this.#connecting = null;
    if (taken.ok) this.#seat = taken.seat;
    return taken;
  }

  close(): void {
    this.#seat?.close();
    this.#seat = null;
  }
}
