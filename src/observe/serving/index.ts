export { bearerOf, cookieAt, isLoopback, withHeaders, withOrigin, withToken } from "./guard.ts";
export { type Listening, type ListenProblem, listen, type Place } from "./listening.ts";
