import type { Json } from "../kernel/index.ts";
import type { Request } from "./request.ts";

/** Trusted JSON: text written by our sandbox or journal. */
export const decodeJson = (text: string): Json => JSON.parse(text) as Json;

/** The arguments of a syscall; the engine always sends a list. */
export const decodeArgs = (text: string): readonly Json[] => JSON.parse(text) as readonly Json[];

export const encodeRequest = (request: Request): string => JSON.stringify(request);

/** A command from a journal whose chain has been checked. */
export const decodeRequest = (text: string): Request => JSON.parse(text) as Request;

/** The principal that a request names as its sender, or null. */
export const senderOf = (request: Request): string | null => {
  if ("principal" in request) return request.principal;
  if ("agent" in request) return request.agent;
  return "id" in request ? request.id : null;
};
