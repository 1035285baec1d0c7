import {
  type Artifact,
  decodeEvent,
  type Event,
  type EventOf,
  emptyState,
  type Id,
  type Json,
  type State,
} from "../kernel/index.ts";
import { didYouMean } from "../mind/index.ts";
import { type Journal, restore } from "../world/index.ts";
import { type CountedFrom, countedFrom } from "./metrics/index.ts";

export type VersionLine = {
  readonly version: number;
  readonly at_ms: number;
  readonly by: string;
  readonly fields: readonly string[];
};

/** One artifact with its history, in the shape of `sim artifact --json`. */
export type ArtifactReport = {
  readonly id: string;
  readonly version: number;
  readonly last_version: number;
  /** From where on versions, calls, reads, revenue and customers are counted. */
  readonly counted_from: CountedFrom;
  readonly type: string;
  readonly owner: string;
  readonly created_by: string;
  readonly access: string;
  readonly price: number;
  readonly read_price: number;
  readonly executable: boolean;
  readonly methods: readonly string[];
  readonly content: string;
  readonly code: string | null;
  readonly interface: Json;
  readonly deleted: Json;
  readonly size_bytes: number;
  readonly versions: readonly VersionLine[];
  readonly invocations: number;
  readonly invocations_by_others: number;
  readonly failures: number;
  readonly reads: number;
  readonly revenue: number;
  /**
   * Others than its owner. `calls` are of whoever began the action, `paid` is of whoever's money it
   * was: they are two where an agent calls by way of a program that has money of its own.
   */
  readonly customers: readonly {
    readonly id: string;
    readonly calls: number;
    readonly paid: number;
  }[];
  /** Who paid for reading it. */
  readonly readers: readonly {
    readonly id: string;
    readonly reads: number;
    readonly paid: number;
  }[];
};

/** What a version said is what its write, or the last one before it that named it, put there. */
type Text = Pick<
  ArtifactReport,
  "content" | "code" | "interface" | "methods" | "price" | "read_price" | "type" | "size_bytes"
>;

const writesOf = (journal: Journal, id: string): readonly EventOf<"artifact_written">[] => {
  const isWrite = (event: Event): event is EventOf<"artifact_written"> =>
    event.kind === "artifact_written" && event.artifact_id === id;
  return [...journal.events({ kind: "artifact_written" })].map(decodeEvent).filter(isWrite);
};

const NO_TEXT: Text = {
  content: "",
  code: null,
  interface: null,
  methods: [],
  price: 0,
  read_price: 0,
  type: "",
  size_bytes: 0,
};

const textOf = (artifact: Artifact): Text => ({
  content: artifact.content,
  code: artifact.code,
  interface: artifact.interface,
  methods: artifact.methods,
  price: artifact.price,
  read_price: artifact.readPrice,
  type: artifact.type,
  size_bytes: artifact.sizeBytes,
});

const textAt = (
  before: Artifact | undefined,
  writes: readonly EventOf<"artifact_written">[],
  version: number,
): Text => {
  let text = before === undefined ? NO_TEXT : textOf(before);
  for (const { fields, version: made, size_bytes } of writes) {
    if (made > version) break;
    text = {
      content: fields.content ?? text.content,
      code: fields.code === undefined ? text.code : fields.code,
      interface: fields.interface === undefined ? text.interface : fields.interface,
      methods: fields.methods ?? text.methods,
      price: fields.price ?? text.price,
      read_price: fields.read_price ?? text.read_price,
      type: fields.type ?? text.type,
      size_bytes,
    };
  }
  return text;
};

/**
 * What is wrong, in one line, where there is no such artifact or no such version. What was before
 * the state that a run goes on from, only the run that it comes from can tell.
 */
export const artifactReport = (
  journal: Journal,
  state: State,
  wanted: {
    readonly id: string;
    readonly version: number | null;
    /** The event that the state is after; without it, the last. */
    readonly upTo?: number;
    /** What whoever asks calls the run, for commands that help; without it, none are named. */
    readonly run?: string;
  },
): ArtifactReport | string => {
  const artifact = artifactIn(state, wanted.id);
  if (artifact === undefined) return absenceOf(state, wanted);
  const version = wanted.version ?? artifact.version;
  if (version < 1 || version > artifact.version) {
    return `${artifact.id} has versions 1 to ${artifact.version}, not ${version}`;
  }
  const base = countedFrom(journal);
  const begun = base.seq === 0 ? emptyState() : restore(journal, { upTo: base.seq }).state;
  const before = artifactIn(begun, wanted.id);
  if (before !== undefined && version < before.version) {
    const place = `${base.run ?? "the run that this one goes on from"}`;
    return `version ${version} of ${artifact.id} was written before this run began; see ${place}`;
  }
  const writes = writesOf(journal, artifact.id);
  return {
    ...lineOf(artifact, version),
    ...textAt(before, writes, version),
    counted_from: base,
    ...tradeOf(artifact, state, begun),
    readers: readersOf(journal, artifact, wanted.upTo),
    versions: writes.map(versionLine),
  };
};

const absenceOf = (
  state: State,
  { id, run }: { readonly id: string; readonly run?: string },
): string => {
  const ids = [...state.artifacts.rows()].map((each) => String(each.id));
  const list = run === undefined ? null : `\`sim state ${run} --json\` lists all there are`;
  const cure = didYouMean(id, ids) ?? list;
  return `there is no artifact "${id}" in this run${cure === null ? "" : `; ${cure}`}`;
};

const readersOf = (
  journal: Journal,
  { id }: Artifact,
  upTo: number | undefined,
): ArtifactReport["readers"] => {
  const readers = new Map<string, ArtifactReport["readers"][number]>();
  const bounds = upTo === undefined ? {} : { upTo };
  for (const row of journal.events({ kind: "artifact_read", ...bounds })) {
    const event = decodeEvent(row);
    if (event.kind !== "artifact_read" || event.artifact_id !== id || event.price === 0) continue;
    const before = readers.get(event.by) ?? { reads: 0, paid: 0 };
    const sum = { reads: before.reads + 1, paid: before.paid + event.price };
    readers.set(event.by, { id: event.by, ...sum });
  }
  return [...readers.values()];
};

const artifactIn = (state: State, id: string): Artifact | undefined =>
  [...state.artifacts.rows()].find((each) => each.id === id);

const lineOf = (artifact: Artifact, version: number) => ({
  id: artifact.id,
  version,
  last_version: artifact.version,
  type: artifact.type,
  owner: artifact.owner,
  created_by: artifact.createdBy,
  access: artifact.access,
  price: artifact.price,
  read_price: artifact.readPrice,
  executable: artifact.methods.length > 0,
  deleted: artifact.deleted,
  size_bytes: artifact.sizeBytes,
});

const versionLine = (write: EventOf<"artifact_written">): VersionLine => ({
  version: write.version,
  at_ms: write.at_ms,
  by: write.by,
  fields: Object.keys(write.fields),
});

/** What came of it between two states. */
const tradeOf = ({ id }: Artifact, after: State, before: State) => {
  const [now, then] = [after.trades.get(id), before.trades.get(id)];
  return {
    invocations: (now?.calls ?? 0) - (then?.calls ?? 0),
    invocations_by_others: (now?.callsByOthers ?? 0) - (then?.callsByOthers ?? 0),
    failures: (now?.failures ?? 0) - (then?.failures ?? 0),
    reads: (now?.reads ?? 0) - (then?.reads ?? 0),
    revenue: (now?.revenue ?? 0) - (then?.revenue ?? 0),
    customers: customersOf(id, after, before),
  };
};

const customersOf = (id: Id, after: State, before: State): ArtifactReport["customers"] => {
  const known = new Map(customersIn(before, id).map((each) => [each.id, each]));
  return customersIn(after, id)
    .map(({ id: customer, calls, paid }) => {
      const then = known.get(customer);
      return { id: customer, calls: calls - (then?.calls ?? 0), paid: paid - (then?.paid ?? 0) };
    })
    .filter(({ calls, paid }) => calls > 0 || paid > 0);
};

const customersIn = (state: State, artifact: Id): ArtifactReport["customers"] =>
  [...state.customers.rows()]
    .filter((customer) => customer.artifact === artifact)
    .map(({ principal: id, calls, paid }) => ({ id, calls, paid }));
