import type { Id } from "../primitives/ids.ts";
import { byteLength, type Json, type JsonObject } from "../primitives/json.ts";

/**
 * How to use an artifact, as its author declares it. JSON Schemas are the subset of
 * `json-schema.ts`.
 */
export type Interface = {
  readonly description: string;
  readonly methods: readonly InterfaceMethod[];
};

export type InterfaceMethod = {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
  readonly output_schema?: JsonObject;
  readonly examples?: readonly { readonly args: readonly Json[]; readonly result: Json }[];
};

export type Tombstone = { readonly at: number; readonly by: Id };

/** Everything is one of these: agents, memories, programs, contracts, services, notes. */
export type Artifact = {
  readonly id: Id;
  readonly ordinal: number;
  readonly type: string;
  readonly content: string;
  readonly code: string | null;
  /** Fingerprint by which codes are compared; empty for genesis code and without code. */
  readonly codePrint: string;
  readonly codeOrdinal: number;
  readonly methods: readonly string[];
  readonly version: number;
  readonly owner: Id;
  readonly createdBy: Id;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly access: Id;
  /**
   * Who chose the access contract; null once the artifact or an owner above it was transferred. The
   * contract can charge only this actor as the owner.
   */
  readonly accessBy: Id | null;
  readonly accessLocked: boolean;
  /** Scrip per invocation, and per read. */
  readonly price: number;
  readonly readPrice: number;
  readonly interface: Interface | null;
  readonly hasStanding: boolean;
  readonly canExecute: boolean;
  readonly memoryArtifactId: Id | null;
  /** JSON text that only the artifact's own code changes. */
  readonly state: string;
  readonly dependsOn: readonly Id[];
  readonly metadata: JsonObject;
  readonly deleted: Tombstone | null;
  readonly sizeBytes: number;
};

export const EMPTY_STATE = "{}";

/**
 * UTF-8 bytes charged to the owner's disk: every field that an agent can set, and the state. 0 for
 * a tombstone.
 */
export const sizeOf = (artifact: Omit<Artifact, "sizeBytes">): number => {
  if (artifact.deleted !== null) return 0;
  return (
    byteLength(artifact.type) +
    byteLength(artifact.content) +
    byteLength(artifact.code ?? "") +
    jsonBytes(artifact.interface) +
    (Object.keys(artifact.metadata).length === 0 ? 0 : jsonBytes(artifact.metadata)) +
    artifact.dependsOn.reduce((sum, id) => sum + id.length, 0) +
    (artifact.state === EMPTY_STATE ? 0 : byteLength(artifact.state))
  );
};

const jsonBytes = (value: unknown): number =>
  value === null ? 0 : byteLength(JSON.stringify(value));

export type Trade = {
  readonly calls: number;
  readonly callsByOthers: number;
  readonly failures: number;
  readonly reads: number;
  /** Scrip paid to owners for calls and reads. */
  readonly revenue: number;
  readonly lastCalledAt: number;
};

export const NO_TRADE: Trade = {
  calls: 0,
  callsByOthers: 0,
  failures: 0,
  reads: 0,
  revenue: 0,
  lastCalledAt: 0,
};

/**
 * What one principal bought of one artifact: calls in its actions, and what it paid for calls, also
 * through its programs with an account. The key is `customerKey`.
 */
export type Customer = {
  readonly artifact: Id;
  readonly principal: Id;
  readonly calls: number;
  readonly paid: number;
  /** `paid` by receiving family, since an artifact can be sold. */
  readonly paidTo: { readonly [family: string]: number };
};

/** A present or past code of an artifact. */
export type DatedCode = {
  /** Fingerprint of the code; a replaced code itself is not kept. */
  readonly print: string;
  readonly ordinal: number;
  /** Whether another family paid for a call of this code. */
  readonly sold: boolean;
};

/** The codes of an artifact, without their text. */
export type CodeHistory = {
  readonly artifact: Id;
  /** Whether the present code was sold. */
  readonly sold: boolean;
  readonly past: readonly DatedCode[];
};

/** A transfer that waits for the acceptance of the new owner. */
export type Offer = { readonly artifact: Id; readonly from: Id; readonly to: Id };

export const customerKey = (artifact: Id, principal: Id): string => `${artifact} ${principal}`;

/** An artifact before its first write. */
export const blankArtifact = (
  made: { readonly ordinal: number; readonly access: Id },
  {
    id,
    owner,
    by,
    at,
  }: { readonly id: Id; readonly owner: Id; readonly by: Id; readonly at: number },
): Artifact => ({
  id,
  ordinal: made.ordinal,
  type: "data",
  content: "",
  code: null,
  codePrint: "",
  codeOrdinal: 0,
  methods: [],
  version: 0,
  owner,
  createdBy: by,
  createdAt: at,
  updatedAt: at,
  access: made.access,
  accessBy: by,
  accessLocked: false,
  price: 0,
  readPrice: 0,
  interface: null,
  hasStanding: false,
  canExecute: false,
  memoryArtifactId: null,
  state: EMPTY_STATE,
  dependsOn: [],
  metadata: {},
  deleted: null,
  sizeBytes: 0,
});
