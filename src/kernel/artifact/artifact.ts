import type { Id } from "../core/ids.ts";
import { byteLength, type Json, type JsonObject } from "../core/json.ts";

/** An author's declaration of how to use an artifact. `json-schema.ts` checks the schemas. */
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

/** Agents, programs, contracts, notes and everything else in the world are artifacts. */
export type Artifact = {
  readonly id: Id;
  readonly ordinal: number;
  readonly type: string;
  readonly content: string;
  readonly code: string | null;
  /** Fingerprint for comparing code. Empty for genesis code and for artifacts without code. */
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
   * The actor that chose the access contract. If this actor is the owner, the contract can charge
   * the owner without a grant. Null after a transfer of the artifact or of an owner above it.
   */
  readonly accessBy: Id | null;
  readonly accessLocked: boolean;
  /** Scrip for each invocation. `readPrice` is the scrip for each read. */
  readonly price: number;
  readonly readPrice: number;
  readonly interface: Interface | null;
  readonly hasStanding: boolean;
  readonly canExecute: boolean;
  readonly memoryArtifactId: Id | null;
  /** JSON text that only the artifact's own code can change. */
  readonly state: string;
  readonly dependsOn: readonly Id[];
  readonly metadata: JsonObject;
  readonly deleted: Tombstone | null;
  readonly sizeBytes: number;
};

export const EMPTY_STATE = "{}";

/** The size charged to the owner, in UTF-8 bytes: the state and all fields that agents set. */
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

export const NO_USAGE = {
  calls: 0,
  callsByOthers: 0,
  failures: 0,
  reads: 0,
  /** Scrip paid to owners for calls and reads. */
  revenue: 0,
  lastCalledAt: 0,
};
export type ArtifactUsage = Readonly<typeof NO_USAGE>;

/**
 * What one principal bought from one artifact, keyed by `customerKey`. `calls` counts calls in the
 * principal's own actions. `paid` is the scrip that its account paid for calls in any action.
 */
export type Customer = {
  readonly artifact: Id;
  readonly principal: Id;
  readonly calls: number;
  readonly paid: number;
  /** `paid`, split by receiving family. After a change of owner, another family may receive. */
  readonly paidTo: { readonly [family: string]: number };
};

/** A present or past version of an artifact's code. */
export type CodeVersion = {
  /** Fingerprint of the code. The text of replaced code is not kept. */
  readonly print: string;
  readonly ordinal: number;
  /** True if another family paid for a call of this code. */
  readonly sold: boolean;
};

/** The code versions of an artifact, without their text. */
export type CodeHistory = {
  readonly artifact: Id;
  readonly sold: boolean;
  readonly past: readonly CodeVersion[];
};

/** A transfer that waits for the new owner to accept it. */
export type TransferOffer = { readonly artifact: Id; readonly from: Id; readonly to: Id };

export const customerKey = (artifact: Id, principal: Id): string => `${artifact} ${principal}`;

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
