import type { Id } from "../core/ids.ts";
import { byteLength } from "../core/json.ts";
import * as is from "../core/shape.ts";

/** The arguments of a call, and its result. */
export const EXAMPLE = is.record({ args: is.list(is.json), result: is.json });

const METHOD = is.record({
  name: is.text,
  description: is.text,
  input_schema: is.jsonObject,
  output_schema: is.optional(is.jsonObject),
  examples: is.optional(is.list(EXAMPLE)),
});
export type InterfaceMethod = is.Of<typeof METHOD>;

/** An author's declaration of how to use an artifact. `json-schema.ts` checks the schemas. */
export const INTERFACE = is.record({ description: is.text, methods: is.list(METHOD) });
export type Interface = is.Of<typeof INTERFACE>;

/** Agents, programs, contracts, notes and everything else in the world are artifacts. */
export const ARTIFACT = is.record({
  id: is.id,
  ordinal: is.amount,
  type: is.text,
  content: is.text,
  code: is.nullable(is.text),
  /** Fingerprint for comparing code. Empty for genesis code and for artifacts without code. */
  codePrint: is.text,
  codeOrdinal: is.amount,
  methods: is.list(is.text),
  version: is.amount,
  owner: is.id,
  createdBy: is.id,
  createdAt: is.amount,
  updatedAt: is.amount,
  access: is.id,
  /**
   * The actor that chose the access contract. If this actor is the owner, the contract can charge
   * the owner without a grant. Null after a transfer of the artifact or of an owner above it.
   */
  accessBy: is.nullable(is.id),
  accessLocked: is.flag,
  /** Scrip for each invocation. `readPrice` is the scrip for each read. */
  price: is.amount,
  readPrice: is.amount,
  interface: is.nullable(INTERFACE),
  hasStanding: is.flag,
  canExecute: is.flag,
  memoryArtifactId: is.nullable(is.id),
  /** JSON text that only the artifact's own code can change. */
  state: is.text,
  dependsOn: is.list(is.id),
  metadata: is.jsonObject,
  deleted: is.nullable(is.record({ at: is.amount, by: is.id })),
  sizeBytes: is.amount,
});
export type Artifact = is.Of<typeof ARTIFACT>;

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
export const TRADE = is.record({ ...is.fieldsLike(NO_USAGE, is.amount), revenue: is.finite });
export type ArtifactUsage = is.Of<typeof TRADE>;

/**
 * What one principal bought from one artifact, keyed by `customerKey`. `calls` counts calls in the
 * principal's own actions. `paid` is the scrip that its account paid for calls in any action.
 */
export const CUSTOMER = is.record({
  artifact: is.id,
  principal: is.id,
  calls: is.amount,
  paid: is.finite,
  /** `paid`, split by receiving family. After a change of owner, another family may receive. */
  paidTo: is.byName(is.finite),
});
export type Customer = is.Of<typeof CUSTOMER>;

/** A present or past version of an artifact's code. */
const CODE_VERSION = is.record({
  /** Fingerprint of the code. The text of replaced code is not kept. */
  print: is.text,
  ordinal: is.amount,
  /** True if another family paid for a call of this code. */
  sold: is.flag,
});
export type CodeVersion = is.Of<typeof CODE_VERSION>;

/** The code versions of an artifact, without their text. */
export const HISTORY = is.record({ artifact: is.id, sold: is.flag, past: is.list(CODE_VERSION) });
export type CodeHistory = is.Of<typeof HISTORY>;

/** A transfer that waits for the new owner to accept it. */
export const OFFER = is.record({ artifact: is.id, from: is.id, to: is.id });
export type TransferOffer = is.Of<typeof OFFER>;

export const customerKey = (artifact: Id, principal: Id): string => `${artifact} ${principal}`;

export const blankArtifact = (
  made: { readonly ordinal: number; readonly access: Id },
  id: Id,
  owner: Id,
  by: Id,
  at: number,
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
