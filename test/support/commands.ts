import {
  asId,
  type Command,
  type Evidence,
  type Json,
  type Permit,
  principalSubject,
  type Subject,
  type WriteRequest,
} from "../../src/kernel/index.ts";
import { NOW, QUOTAS } from "./physics.ts";

/** A principal by name, or a subject. */
export type Actor = string | Subject;

export const by = (actor: Actor): Subject =>
  typeof actor === "string" ? principalSubject(asId(actor), NOW) : actor;

/** The last of these programs, each called by the one before, in the name of `origin`. */
export const inside = (origin: string, ...stack: readonly string[]): Subject => ({
  ...by(origin),
  actor: asId(stack.at(-1) ?? origin),
  stack: stack.map(asId),
});

type Fields = Omit<WriteRequest, "artifact_id" | "access" | "depends_on"> & {
  readonly access?: string;
  readonly depends_on?: readonly string[];
};

const requestOf = (artifact: string, { access, depends_on, ...fields }: Fields) =>
  ({
    artifact_id: asId(artifact),
    ...fields,
    ...(access === undefined ? {} : { access: asId(access) }),
    ...(depends_on === undefined ? {} : { depends_on: depends_on.map(asId) }),
  }) satisfies WriteRequest;

type Writing = Fields & {
  /** What the world found out about code and content. Null for nothing yet. */
  readonly evidence?: Evidence | null;
  readonly permit?: Permit;
  readonly bytesSpent?: number;
};
type Writes = Extract<Command, { kind: "write_artifact" }>;

/** Without other evidence, `code` defines `run` and is its own print, and agents are valid. */
export const writes = (actor: Actor, artifact: string, writing: Writing): Writes => {
  const { evidence, permit, bytesSpent = 0, ...fields } = writing;
  const { code: print } = fields;
  const code = typeof print === "string" ? { code_check: { methods: ["run"], print } } : {};
  return {
    kind: "write_artifact",
    by: by(actor),
    request: requestOf(artifact, fields),
    bytesSpent,
    ...(evidence === null ? {} : { ...code, agent_check: { problem: null }, ...evidence }),
    ...(permit === undefined ? {} : { permit }),
  };
};

type Reads = Extract<Command, { kind: "read_artifact" }>;

export const reads = (
  actor: Actor,
  artifact: string,
  { max_price = null, permit }: { max_price?: number | null; permit?: Permit } = {},
): Reads => ({
  kind: "read_artifact",
  by: by(actor),
  artifact_id: asId(artifact),
  max_price,
  ...(permit === undefined ? {} : { permit }),
});

export type Calling = {
  readonly method?: string;
  readonly args?: readonly Json[];
  readonly scrip?: number;
  readonly artifacts?: readonly string[];
  readonly max_price?: number | null;
  readonly permit?: Permit;
};

export type Opens = Extract<Command, { kind: "open_invocation" }>;

export const opens = (actor: Actor, artifact: string, calling: Calling = {}): Opens => {
  const { method = "run", args = [], scrip = 0, artifacts = [], max_price = null } = calling;
  return {
    kind: "open_invocation",
    by: by(actor),
    request: {
      artifact_id: asId(artifact),
      method,
      args,
      attach: { scrip, artifacts: artifacts.map(asId) },
      max_price,
    },
    ...(calling.permit === undefined ? {} : { permit: calling.permit }),
  };
};

type CallsNative = Extract<Command, { kind: "call_native" }>;
type NativeCalling = Omit<Calling, "method" | "args"> & { readonly args?: readonly Json[] };

/** `native` is written as `genesis_ledger.transfer`. */
export const calls = (actor: Actor, native: string, calling: NativeCalling = {}): CallsNative => {
  const [artifact = "", method = ""] = native.split(".");
  const { args = [], scrip = 0, artifacts = [], max_price = null, permit } = calling;
  return {
    kind: "call_native",
    by: by(actor),
    artifact_id: asId(artifact),
    method,
    args,
    attach: { scrip, artifacts: artifacts.map(asId) },
    max_price,
    ...(permit === undefined ? {} : { permit }),
  };
};

const callsWith =
  <A extends readonly Json[]>(native: string) =>
  (actor: Actor, ...args: A): CallsNative =>
    calls(actor, native, { args });

export const offersOwnership = callsWith<[artifact: string, to: string]>(
  "genesis_ledger.transfer_ownership",
);
export const accepts = callsWith<[artifact: string]>("genesis_ledger.accept");
export const transfers = callsWith<[to: string, scrip: Json]>("genesis_ledger.transfer");
export const transfersBudget = callsWith<[to: string, micros: Json]>(
  "genesis_ledger.transfer_budget",
);
export const transfersQuota = callsWith<[to: string, resource: string, amount: number]>(
  "genesis_rights_registry.transfer_quota",
);
export const deletes = callsWith<[artifact: string]>("genesis_store.delete");
export const setsPrice = callsWith<[artifact: string, price: number]>("genesis_store.set_price");
export const setsAccess = callsWith<[artifact: string, contract: string]>(
  "genesis_store.set_access",
);

/** An artifact gets another owner, who accepts it. */
export const sells = (from: string, artifact: string, to: string) =>
  [offersOwnership(from, artifact, to), accepts(to, artifact)] as const;

export const pays = (actor: Actor, to: string, scrip: Json): Command => ({
  kind: "pay",
  by: by(actor),
  to: asId(to),
  scrip,
});

export const charges = (actor: Actor, from: string, scrip: Json): Command => ({
  kind: "charge",
  by: by(actor),
  from: asId(from),
  scrip,
});

export const gives = (
  actor: Actor,
  artifact: string,
  { to, callers = [] }: { to: string; callers?: readonly string[] },
): Command => ({
  kind: "give",
  by: by(actor),
  artifact: asId(artifact),
  to: asId(to),
  callers: callers.map(asId),
});

type Spawns = Extract<Command, { kind: "create_principal" }>;

/** `problem` says what is wrong with the child's configuration. */
export const spawns = (
  actor: Actor,
  fields: { readonly [field: string]: Json } = {},
  problem: string | null = null,
): Spawns => ({ kind: "create_principal", by: by(actor), fields, agent_check: { problem } });

/** A contract's answer: allowed and free by default. */
export const permit = (
  contract: string,
  { allowed = true, cost = 0, payer, recipient, reason = "" }: PermitChoice = {},
): Permit => ({
  contract: asId(contract),
  allowed,
  reason,
  cost,
  payer: payer === undefined ? null : asId(payer),
  recipient: recipient === undefined ? null : asId(recipient),
});

type PermitChoice = {
  readonly allowed?: boolean;
  readonly cost?: number;
  readonly payer?: string;
  readonly recipient?: string;
  readonly reason?: string;
};

type AgentOptions = {
  readonly content?: string;
  readonly scrip?: number;
  readonly micros?: number;
  readonly disk?: number;
  readonly quotas?: Partial<typeof QUOTAS>;
  readonly group?: string;
};

export const createsAgent = (
  id: string,
  options: AgentOptions = {},
): Extract<Command, { kind: "create_agent" }> => {
  const { scrip = 100, micros = 1_000, disk = 10_000, quotas = {} } = options;
  return {
    kind: "create_agent",
    at_ms: NOW,
    id: asId(id),
    content: options.content ?? "{}",
    memory: "[]",
    endowment: {
      scrip,
      llm_budget_micros: micros,
      disk_bytes: disk,
      quotas: { ...QUOTAS, ...quotas },
    },
    group: options.group ?? null,
    starts_at_ms: 0,
  };
};
