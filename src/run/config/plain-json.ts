import { z } from "zod";
import { type Json, jsonProblem } from "../../kernel/index.ts";

/** The maximum nesting of JSON values in any world. `artifacts.json_depth_max` may be lower. */
const DEPTH_MAX = 200;
export const isPlain = (given: unknown): given is Json => jsonProblem(given, DEPTH_MAX) === null;
export const plainJson = z
  .unknown()
  .refine((given): boolean => isPlain(given), {
    error: "must be plain data: text, numbers, true, false, null, lists and maps",
  });
