/** A thread of a run that makes thoughts of agents with language models. */
import { parentPort, workerData } from "node:worker_threads";
import { must } from "../../kernel/index.ts";
import type { Environment } from "../../mind/index.ts";
import { FrameLine } from "./frame-line.ts";
import { MindServer, type MindSetup, type ThoughtCounts } from "./mind-server.ts";

export type MindThreadStart = { readonly setup: MindSetup; readonly env: Environment };
/** What the thread posts: a batch of a `FrameLine`, and its thoughts up to now. */
export type ThreadMail = { readonly batch: string; readonly counts: ThoughtCounts };

const port = must(parentPort, "this module is the start of a thread");
const { setup, env }: MindThreadStart = workerData;
const line = new FrameLine({
  send: (batch) => {
    const mail: ThreadMail = { batch, counts: server.counts };
    port.postMessage(mail);
  },
  take: (frame) => server.peer.receive(frame),
});
const server = new MindServer(setup, { env, post: (frame) => line.post(frame) });
port.on("message", (batch: string) => line.receive(batch));
