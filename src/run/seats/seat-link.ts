import type { ControlAnswer, ControlFailure } from "../control/protocol.ts";
import { type SeatClient, takeSeat } from "./seat-client.ts";

type LinkOptions = {
  /** Closes the connection after this time without a call. Null: keeps it open. */
  readonly idleMs?: number | null;
};

/** A seat of a run that may stop and be resumed. Connects again when it is next used. */
export class SeatLink {
  readonly agent: string;
  readonly #folder: string;
  readonly #idleMs: number | null;
  #seat: SeatClient | null = null;
  #connecting: ReturnType<typeof takeSeat> | null = null;
  #calls = 0;
  #idle: ReturnType<typeof setTimeout> | null = null;

  constructor(folder: string, agent: string, { idleMs = null }: LinkOptions = {}) {
    this.#folder = folder;
    this.agent = agent;
    this.#idleMs = idleMs;
  }

  get isOpen(): boolean {
    return this.#seat !== null;
  }

  /** Calls `use` with the seat. The answer is a failure if the run is not running. */
  async call<Value>(
    use: (seat: SeatClient) => Promise<ControlAnswer<Value>>,
  ): Promise<ControlAnswer<Value>> {
    this.#calls += 1;
    this.#stopIdle();
    try {
      const taken = await this.connect();
      if (!taken.ok) return taken;
      const answer = await use(taken.seat);
      if (!answer.ok && answer.reason === "not_running" && this.#seat === taken.seat) this.close();
      return answer;
    } finally {
      this.#calls -= 1;
      this.#startIdle();
    }
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
    this.#stopIdle();
    this.#seat?.close();
    this.#seat = null;
  }

  #startIdle(): void {
    if (this.#idleMs === null || this.#calls > 0 || this.#seat === null) return;
    this.#idle = setTimeout(() => this.close(), this.#idleMs);
  }

  #stopIdle(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
  }
}
