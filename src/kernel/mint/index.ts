export { evolveMint } from "./evolve-mint.ts";
export { type Flow, flowKey, type Score, type Submission } from "./submission.ts";
export type { Task, TaskTest } from "./task.ts";
