import { OPERATOR } from "../../kernel/index.ts";
import { decodeEvent, isRunEvent, type JournalRow, runEventBody } from "../../world/index.ts";

export type MarkKind =
  | "auction"
  | "alarm"
  | "checkpoint"
  | "birth"
  | "freeze"
  | "bankruptcy"
  | "review"
  | "message";

/** A landmark of a run, or several of one kind that stand too close to be told apart. */
export type RunMark = {
  readonly kind: MarkKind;
  /** The number and the run time of the first event. */
  readonly seq: number;
  readonly at_ms: number;
  /** The number of events that this mark stands for. */
  readonly count: number;
  /** What happened at the first event. */
  readonly text: string;
};

/** `total` counts all marks of the run. */
export type RunMarks = { readonly total: number; readonly marks: readonly RunMark[] };

/** The number of intervals of a run. In each interval, the marks of one kind become one. */
export const MARK_SLOTS = 240;

/** Collects the landmarks of a run from its events, in order. */
export class MarkIndex {
  readonly #byKind = new Map<MarkKind, RunMark[]>();
  readonly #isPerson: (id: string) => boolean;
  #total = 0;

  /** `isPerson` says whether a person plays the agent `id`. */
  constructor(isPerson: (id: string) => boolean) {
    this.#isPerson = isPerson;
  }

  get total(): number {
    return this.#total;
  }

  add(row: JournalRow): void {
    const found = this.#markOf(row);
    if (found === null) return;
    this.#total += 1;
    const [kind, text] = found;
    const mark = { kind, seq: row.seq, at_ms: row.atMs, count: 1, text };
    const marks = this.#byKind.get(kind);
    if (marks === undefined) this.#byKind.set(kind, [mark]);
    else marks.push(mark);
  }

  /** The marks from `fromMs` to `toMs` by time. At most `MARK_SLOTS` for each kind. */
  marks(fromMs: number, toMs: number): RunMarks {
    const slotMs = Math.max(1, (toMs - fromMs) / MARK_SLOTS);
    const slotOf = ({ at_ms }: RunMark): number => Math.floor((at_ms - fromMs) / slotMs);
    const marks = [...this.#byKind.values()].flatMap((own) => thinned(own, slotOf));
    return { total: this.#total, marks: marks.sort((one, other) => one.seq - other.seq) };
  }

  #markOf(row: JournalRow): readonly [kind: MarkKind, text: string] | null {
    if (isRunEvent(row.kind)) {
      if (row.kind === "checkpoint_saved") return ["checkpoint", "checkpoint"];
      if (row.kind !== "alarm_raised") return null;
      return ["alarm", `alarm: ${String(runEventBody(row.body).alarm).replaceAll("_", " ")}`];
    }
    return MARKED.has(row.kind) ? this.#worldMark(row) : null;
  }

  #worldMark(row: JournalRow): readonly [kind: MarkKind, text: string] | null {
    const event = decodeEvent(row);
    switch (event.kind) {
      case "auction_resolved":
        return ["auction", auctionText(event)];
      case "agent_created":
        return ["birth", `${event.id} was created`];
      case "agent_frozen":
        return ["freeze", `${row.principal} froze: too little ${lackText(event.lacks)}`];
      case "agent_bankrupt":
        return ["bankruptcy", `${row.principal} went bankrupt`];
      case "action_proposed":
        return ["review", `${row.principal} asked for a review`];
      case "proposal_decided":
        return ["review", `an action of ${event.agent} was reviewed`];
      case "message_sent": {
        const { from, to, reset } = event;
        const isOfPerson = from === OPERATOR || this.#isPerson(from);
        return isOfPerson && reset === null ? ["message", `${from} wrote to ${to}`] : null;
      }
      default:
        return null;
    }
  }
}

/** The events that can be marks. No other event is decoded. */
const MARKED: ReadonlySet<string> = new Set([
  "auction_resolved",
  "agent_created",
  "agent_frozen",
  "agent_bankrupt",
  "action_proposed",
  "proposal_decided",
  "message_sent",
]);

const thinned = (
  marks: readonly RunMark[],
  slotOf: (mark: RunMark) => number,
): readonly RunMark[] => {
  const kept: RunMark[] = [];
  let slot = -1;
  for (const mark of marks) {
    const last = kept.at(-1);
    if (last === undefined || slotOf(mark) !== slot) kept.push(mark);
    else kept[kept.length - 1] = { ...last, count: last.count + 1 };
    slot = slotOf(mark);
  }
  return kept;
};

type Auction = {
  readonly auction: number;
  readonly price: number;
  readonly won: readonly string[];
};

const auctionText = ({ auction, price, won }: Auction): string =>
  won.length === 0
    ? `auction ${auction}: no winner`
    : `auction ${auction}: ${won.length} won, for ${price} scrip each`;

const lackText = (lacks: string): string =>
  lacks === "llm_budget" ? "model budget" : lacks.replaceAll("_", " ");
