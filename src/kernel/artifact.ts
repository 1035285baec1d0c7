import type { Id } from "./ids.ts";
import { byteLength, type Json, type JsonObject } from "./json.ts";

/** How an artifact says it can be used; JSON Schemas are the subset of `json-schema.ts`. */
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
  /** Counts artifacts in the order of their creation, from 1. */
  readonly ordinal: number;
  readonly type: string;
  readonly content: string;
  readonly code: string | null;
  /** What the world compares codes by; empty for none, and for what the world began with. */
  readonly codePrint: string;
  /** Counts codes with a print in the order in which they were written, over all artifacts. */
  readonly codeOrdinal: number;
  /** The functions that the code defines and others may call. */
  readonly methods: readonly string[];
  /** From 1, one more at each write. */
  readonly version: number;
  readonly owner: Id;
  readonly createdBy: Id;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The contract that decides who may do what. */
  readonly access: Id;
  /**
   * The actor that named it, until the artifact or anybody above it passes to another. Only that
   * one can be charged by it as the owner: nobody is, who was given this or what owns it.
   */
  readonly accessBy: Id | null;
  readonly accessLocked: boolean;
  /** Scrip asked for an invocation and for a read. */
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
 * UTF-8 bytes charged to the owner's disk: every field that an agent can set, and the state.
 * A tombstone takes nothing.
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

/** What other principals did with an artifact; what the market knows of it. */
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
 * What one principal bought of one artifact: the calls it asked for, and what it paid for calls,
 * which a program with an account also does. The key is `customerKey`.
 */
export type Customer = {
  readonly artifact: Id;
  readonly principal: Id;
  readonly calls: number;
  readonly paid: number;
  /** The same by the family that got it, by its first ancestor: an artifact can be sold. */
  readonly paidTo: { readonly [family: string]: number };
};
