export { bearerOf, cookieAt, isLoopback, withHeaders, withOrigin, withToken } from "./guard.ts";
export { inSlices, SLICE_MS } from "./in-slices.ts";
export { type Listening, type ListenPlace, type ListenProblem, listen } from "./listening.ts";
