export { bearerOf, cookieAt, isLoopback, withHeaders, withOrigin, withToken } from "./guard.ts";
export { type Listening, type ListenPlace, type ListenProblem, listen } from "./listening.ts";
