export type { Alarm, Clock, RunEnd, Task, Wake } from "./clock.ts";
export { VirtualClock } from "./virtual-clock.ts";
export { wallClock } from "./wall-clock.ts";
