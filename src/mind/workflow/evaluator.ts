import type { Json } from "../../kernel/index.ts";

export type Evaluated =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly problem: string };

/**
 * Evaluates one JavaScript expression over plain variables inside the sandbox, with bounded gas.
 * The same expression and variables always give the same value.
 */
export type Evaluate = (
  expression: string,
  variables: { readonly [name: string]: Json },
) => Evaluated;
