export type { Clock, Timer } from "./clock.ts";
export { VirtualClock } from "./virtual-clock.ts";
export { wallClock } from "./wall-clock.ts";
