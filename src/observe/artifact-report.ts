import {
  type Artifact,
  decodeEvent,
  type Event,
  type EventOf,
  type Json,
  type State,
} from "../kernel/index.ts";
import type { Journal } from "../world/index.ts";

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
  readonly customers: readonly {
    readonly id: string;
    readonly calls: number;
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

const textAt = (writes: readonly EventOf<"artifact_written">[], version: number): Text => {
  let text: Text = {
    content: "",
    code: null,
    interface: null,
    methods: [],
    price: 0,
    read_price: 0,
    type: "",
    size_bytes: 0,
  };
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

/** What is wrong, in one line, where there is no such artifact or no such version. */
export const artifactReport = (
  journal: Journal,
  state: State,
  wanted: { readonly id: string; readonly version: number | null },
): ArtifactReport | string => {
  const artifact = [...state.artifacts.rows()].find(({ id }) => id === wanted.id);
  if (artifact === undefined) return `there is no artifact "${wanted.id}" in this run`;
  const version = wanted.version ?? artifact.version;
  if (version < 1 || version > artifact.version) {
    return `${artifact.id} has versions 1 to ${artifact.version}, not ${version}`;
  }
  const writes = writesOf(journal, artifact.id);
  return {
    ...lineOf(artifact, version),
    ...textAt(writes, version),
    ...tradeOf(state, artifact),
    versions: writes.map(versionLine),
  };
};

const lineOf = (artifact: Artifact, version: number) => ({
  id: artifact.id,
  version,
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

const tradeOf = (state: State, artifact: Artifact) => {
  const trade = state.trades.get(artifact.id);
  return {
    invocations: trade?.calls ?? 0,
    invocations_by_others: trade?.callsByOthers ?? 0,
    failures: trade?.failures ?? 0,
    reads: trade?.reads ?? 0,
    revenue: trade?.revenue ?? 0,
    customers: [...state.customers.rows()]
      .filter((customer) => customer.artifact === artifact.id)
      .map(({ principal: id, calls, paid }) => ({ id, calls, paid })),
  };
};
