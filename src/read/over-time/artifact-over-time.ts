import { asId, type Event, type State } from "../../kernel/index.ts";
import type { JournalReader } from "../../world/index.ts";
import { type LogEntry, readLogInSlices } from "../log/log.ts";
import { artifactNamed } from "../metrics/economy.ts";
import { EvenSamples, type Span } from "./even-samples.ts";

/** The price, the use and the revenue of an artifact over run time, and what changed it. */
export type ArtifactOverTime = Awaited<ReturnType<typeof artifactOverTime>>;

/** A new version or a new owner. */
type ArtifactChange = {
  readonly seq: number;
  readonly at_ms: number;
  readonly what: "version" | "owner" | "deleted";
  /** The number of the version, or the new owner. Empty for a deletion. */
  readonly to: string;
  /** The principal that wrote the version, or the owner before. */
  readonly by: string;
  /** The price of a call after a change of the price, else null. */
  readonly price: number | null;
};

const KINDS: ReadonlySet<string> = new Set([
  "artifact_written",
  "workspace_changed",
  "ownership_transferred",
  "artifact_deleted",
  "artifact_invoked",
  "invocation_failed",
  "artifact_read",
]);

/** Counts of one artifact, as the state of the world counts them. */
class ArtifactCounter {
  readonly #id: string;
  readonly changes: ArtifactChange[] = [];
  #price: number | null;
  #calls = 0;
  #failed = 0;
  #revenue = 0;

  constructor(id: string, earlier: State) {
    this.#id = id;
    this.#price = artifactNamed(earlier, id)?.price ?? null;
  }

  sample() {
    const [price, calls, failed] = [this.#price, this.#calls, this.#failed];
    return { price, calls, failed, revenue: this.#revenue };
  }

  count(event: Event, seq: number): void {
    if (!("artifact_id" in event) || event.artifact_id !== asId(this.#id)) return;
    const { at_ms, principal } = event;
    switch (event.kind) {
      case "artifact_written": {
        const { price = this.#price ?? 0 } = event.fields;
        const isNew = price !== this.#price;
        this.#price = price;
        const version = { what: "version", to: String(event.version), by: event.by } as const;
        this.changes.push({ seq, at_ms, ...version, price: isNew ? price : null });
        return;
      }
      case "workspace_changed": {
        const version = { what: "version", to: String(event.version) } as const;
        this.changes.push({ seq, at_ms, ...version, by: principal ?? "", price: null });
        return;
      }
      case "ownership_transferred":
        this.changes.push({ seq, at_ms, what: "owner", to: event.to, by: event.from, price: null });
        return;
      case "artifact_deleted":
        this.#price = null;
        this.changes.push({ seq, at_ms, what: "deleted", to: "", by: event.by, price: null });
        return;
      case "artifact_invoked":
        this.#calls += 1;
        this.#revenue += event.paid_to === null ? 0 : event.price;
        return;
      case "invocation_failed":
        this.#failed += 1;
        return;
      case "artifact_read":
        this.#revenue += event.price;
        return;
      default:
    }
  }
}

const CHANGES_MAX = 200;

/** Reads the events of a span. `earlier` is the state before its first event. */
export const artifactOverTime = async (
  journal: JournalReader,
  artifact: string,
  span: Span,
  earlier: State,
) => {
  const counter = new ArtifactCounter(artifact, earlier);
  const samples = new EvenSamples(span, () => counter.sample());
  // An id is JSON text without escapes, so the body of an event of the artifact contains it.
  const named = `"artifact_id":${JSON.stringify(artifact)}`;
  const count = (entry: LogEntry): void => {
    const { kind, body, atMs, seq } = entry.row;
    samples.reach(atMs);
    const event = KINDS.has(kind) && body.includes(named) ? entry.event : null;
    if (event !== null) counter.count(event, seq);
  };
  const { after, upTo } = span;
  await readLogInSlices(journal, [{ event: count }], { after, upTo });
  const { at_ms, samples: taken } = samples.upTo(span.toMs);
  return {
    at_ms,
    price: taken.map(({ price }) => price),
    /** Sums so far. A call that failed is not one of `calls`. */
    calls: taken.map(({ calls }) => calls),
    failed: taken.map(({ failed }) => failed),
    revenue: taken.map(({ revenue }) => revenue),
    /** The newest versions and owners, in order of time. */
    changes: counter.changes.slice(-CHANGES_MAX),
  };
};
