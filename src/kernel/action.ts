import type { Interface } from "./artifact.ts";
import type { Id } from "./ids.ts";
import type { Json, JsonObject } from "./json.ts";

/** The four things an agent can propose. Everything else is an invocation of some artifact. */
export const ACTION_KINDS = ["noop", "read_artifact", "write_artifact", "invoke_artifact"] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

export type Action = Noop | ReadAction | WriteAction | InvokeAction;
export type Noop = { readonly kind: "noop" };
export type ReadAction = {
  readonly kind: "read_artifact";
  readonly artifact_id: Id;
  readonly max_price: number | null;
};
export type WriteAction = { readonly kind: "write_artifact"; readonly request: WriteRequest };
export type InvokeAction = { readonly kind: "invoke_artifact" } & InvokeRequest;

/** What to hand to the callee in the same transaction. */
export type Attachment = { readonly scrip: number; readonly artifacts: readonly Id[] };
export const NOTHING_ATTACHED: Attachment = { scrip: 0, artifacts: [] };

export type InvokeRequest = {
  readonly artifact_id: Id;
  readonly method: string;
  readonly args: readonly Json[];
  readonly attach: Attachment;
  readonly max_price: number | null;
};

/** The fields of a write that were given; their rules are those of `write.ts`. */
export type WriteRequest = {
  readonly artifact_id: Id;
  readonly artifact_type?: string;
  readonly content?: string;
  readonly code?: string | null;
  readonly price?: number;
  readonly read_price?: number;
  readonly access?: Id;
  readonly access_locked?: true;
  readonly interface?: Interface | null;
  readonly depends_on?: readonly Id[];
  readonly metadata?: JsonObject;
  readonly has_standing?: true;
  /** Bounds what an access contract may ask for the write; no field of the artifact. */
  readonly max_price?: number | null;
};
