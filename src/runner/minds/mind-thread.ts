/** A thread of a run that makes thoughts of agents with language models. */
import { parentPort, workerData } from "node:worker_threads";
import { must } from "../../kernel/index.ts";
import type { Environment } from "../../mind/index.ts";
import { batched } from "./mind-host.ts";
import { MindServer, type MindSetup } from "./mind-server.ts";
import type { PeerFrame } from "./peer.ts";

export type MindThreadStart = { readonly setup: MindSetup; readonly env: Environment };

const port = must(parentPort, "this module is the start of a thread");
const { setup, env }: MindThreadStart = workerData;
const { peer } = new MindServer(setup, {
  env,
  post: batched({ send: (frames) => port.postMessage(frames) }),
});
port.on("message", (frames: readonly PeerFrame[]) => {
  for (const frame of frames) peer.receive(frame);
});
