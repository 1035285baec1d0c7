import type { Json } from "../kernel/index.ts";
import type { Request } from "./request.ts";

/** Text that a sandbox or a journal of ours made, so that it is known to be JSON. */
export const decodeJson = (text: string): Json => JSON.parse(text) as Json;

/** The arguments of a syscall: the engine always sends a list. */
export const decodeArgs = (text: string): readonly Json[] => JSON.parse(text) as readonly Json[];

export const encodeRequest = (request: Request): string => JSON.stringify(request);

/** A command that a journal kept; its chain has been checked. */
export const decodeRequest = (text: string): Request => JSON.parse(text) as Request;

/** Whom a command names as the one who asks. */
export const askerOf = (request: Request): string | null => {
  if ("principal" in request) return request.principal;
  if ("agent" in request) return request.agent;
  return "id" in request ? request.id : null;
};
