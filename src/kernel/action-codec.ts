import type { WriteRequest } from "./action.ts";
import type { Json } from "./json.ts";

/** A list that stands in an action already found to be plain data. */
export const checkedArgs = (args: readonly unknown[]): readonly Json[] => args as readonly Json[];

/** Fields each of which has passed its check in `WRITE_FIELDS`. */
export const checkedWrite = (fields: Readonly<Record<string, unknown>>): WriteRequest =>
  fields as unknown as WriteRequest;
