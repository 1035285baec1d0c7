import {
  artifactNamed,
  countedFrom,
  eventsOf,
  stateCountedFrom,
  tradeSince,
} from "../../figures/index.ts";
import {
  type Artifact,
  type EventOf,
  type Id,
  isNative,
  patchedContent,
  type State,
} from "../../kernel/index.ts";
import { didYouMean } from "../../text/index.ts";
import type { JournalReader } from "../../world/index.ts";

/** One artifact with its history, in the shape of `sim state RUN ARTIFACT --json`. */
export type ArtifactReport = Exclude<ReturnType<typeof artifactReport>, string>;

type ArtifactQuery = {
  readonly id: string;
  readonly version: number | null;
  /** The event after which `state` was read. Defaults to the last event. */
  readonly upTo?: number;
  /** The run name for suggested commands. Without a run name, messages suggest no commands. */
  readonly run?: string;
};

/** Returns the report, or a problem, for example if the version is from before the run's fork. */
export const artifactReport = (journal: JournalReader, state: State, query: ArtifactQuery) => {
  const artifact = artifactNamed(state, query.id);
  if (artifact === undefined) return problemOf(state, query);
  const version = query.version ?? artifact.version;
  if (version < 1 || version > artifact.version) {
    return `${artifact.id} has versions 1 to ${artifact.version}, not ${version}`;
  }
  const base = countedFrom(journal);
  const start = stateCountedFrom(journal, base);
  const before = artifactNamed(start, query.id);
  if (before !== undefined && version < before.version) {
    const parent = base.run ?? "its parent run";
    return `version ${version} of ${artifact.id} was written before the fork; see ${parent}`;
  }
  const all = [...eventsOf(journal, "artifact_written")];
  const writes = all.filter(({ artifact_id }) => artifact_id === artifact.id);
  return {
    id: String(artifact.id),
    version,
    last_version: artifact.version,
    owner: String(artifact.owner),
    created_by: String(artifact.createdBy),
    access: artifact.access,
    executable: artifact.methods.length > 0,
    deleted: artifact.deleted,
    ...fieldsAt(before, writes, version),
    ...workspaceAt(journal, artifact.id, before, writes, version),
    counted_from: base,
    ...tradeSince(artifact.id, state, start),
    native_calls: isNative(artifact.id) ? nativeCallsOf(journal, artifact.id, query.upTo) : null,
    customers: customersOf(artifact.id, state, start),
    readers: readersOf(journal, artifact.id, query.upTo),
    versions: writes.map(({ version, at_ms, by, fields }) => {
      return { version, at_ms, by: String(by), fields: Object.keys(fields) };
    }),
  };
};

const problemOf = (state: State, { id, run }: ArtifactQuery): string => {
  const ids = [...state.artifacts.rows()].map((each) => String(each.id));
  const list = run === undefined ? null : `\`sim state ${run} --json\` lists all artifacts`;
  const cure = didYouMean(id, ids) ?? list;
  return `"${id}" is not an artifact of this run${cure === null ? "" : `; ${cure}`}`;
};

/** The fields of `version`: those in `before`, replaced by the fields that later writes changed. */
const fieldsAt = (
  before: Artifact | undefined,
  writes: readonly EventOf<"artifact_written">[],
  version: number,
) => {
  const done = writes.filter((write) => write.version <= version);
  const fields: Partial<EventOf<"artifact_written">["fields"]> = Object.assign(
    {},
    ...done.map((write) => write.fields),
  );
  const { code, interface: declared } = fields;
  return {
    type: fields.type ?? before?.type ?? "",
    content: fields.content ?? before?.content ?? "",
    code: code === undefined ? (before?.code ?? null) : code,
    interface: declared === undefined ? (before?.interface ?? null) : declared,
    methods: fields.methods ?? before?.methods ?? [],
    price: fields.price ?? before?.price ?? 0,
    read_price: fields.read_price ?? before?.readPrice ?? 0,
    size_bytes: done.at(-1)?.size_bytes ?? before?.sizeBytes ?? 0,
  };
};

/** The content of a workspace, which changes by patches too. Nothing for other artifacts. */
const workspaceAt = (
  journal: JournalReader,
  id: Id,
  before: Artifact | undefined,
  writes: readonly EventOf<"artifact_written">[],
  version: number,
) => {
  const changes = [...eventsOf(journal, "workspace_changed")].filter(
    (change) => change.artifact_id === id && change.version <= version,
  );
  const last = changes.at(-1);
  if (last === undefined) return {};
  const written = new Map(writes.map((write) => [write.version, write.fields.content]));
  let content = before?.content ?? "";
  for (let at = before?.version ?? 1; at <= version; at += 1) {
    const change = changes.find((each) => each.version === at);
    content =
      change === undefined ? (written.get(at) ?? content) : patchedContent(content, change.patch);
  }
  const size = [...writes.filter((write) => write.version <= version), ...changes].toSorted(
    (a, b) => a.version - b.version,
  );
  return { content, size_bytes: size.at(-1)?.size_bytes ?? last.size_bytes };
};

/** What each customer called and paid since `before`. Calls by the owner do not count. */
const customersOf = (artifact: Id, after: State, before: State) => {
  const known = new Map(customersIn(before, artifact).map((row) => [row.principal, row]));
  return customersIn(after, artifact)
    .map(({ principal, calls, paid }) => {
      const then = known.get(principal) ?? { calls: 0, paid: 0 };
      return { id: String(principal), calls: calls - then.calls, paid: paid - then.paid };
    })
    .filter(({ calls, paid }) => calls > 0 || paid > 0);
};

const customersIn = (state: State, artifact: Id) =>
  [...state.customers.rows()].filter((row) => row.artifact === artifact);

/**
 * Counts the actions that called a native artifact. Its calls have no events of their own, so calls
 * by programs are not counted.
 */
const nativeCallsOf = (journal: JournalReader, id: Id, upTo: number | undefined) => {
  const timesOf = (kind: "action_completed" | "action_refused"): number =>
    [...eventsOf(journal, kind, { upTo })].filter(
      ({ action, target }) => action === "invoke_artifact" && target === id,
    ).length;
  return { succeeded: timesOf("action_completed"), refused: timesOf("action_refused") };
};

const readersOf = (journal: JournalReader, id: Id, upTo: number | undefined) => {
  const readers = new Map<string, { id: string; reads: number; paid: number }>();
  for (const { artifact_id, by, price } of eventsOf(journal, "artifact_read", { upTo })) {
    if (artifact_id !== id || price === 0) continue;
    const { reads, paid } = readers.get(by) ?? { reads: 0, paid: 0 };
    readers.set(by, { id: by, reads: reads + 1, paid: paid + price });
  }
  return [...readers.values()];
};
