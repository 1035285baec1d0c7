import { once } from "node:events";
import { connect } from "node:net";
import { basename } from "node:path";
import { errorCode, runHolder } from "../../world/index.ts";
import { readControlFile } from "../files/run-files.ts";
import type { ControlClient } from "./control-client.ts";
import { type ControlFailure, controlFailure } from "./protocol.ts";

const CONNECT_MS_MAX = 2_000;

type Connected = { readonly ok: true; readonly client: ControlClient } | ControlFailure;

/**
 * Connects to the live run in `folder`. The failure `not_running` names the cure, `no_answer` the
 * process that runs it. Waits at most `timeoutMs` for the connection.
 */
export const connectToRun = async (
  folder: string,
  timeoutMs: number = CONNECT_MS_MAX,
): Promise<Connected> => {
  const runId = basename(folder);
  const holder = runHolder(folder);
  if (holder === null) {
    return controlFailure(
      "not_running",
      `${runId} is not running; \`sim resume ${runId}\` continues it`,
    );
  }
  const who = `process ${holder.pid} on ${holder.host} runs ${runId}`;
  const address = readControlFile(folder)?.address;
  if (address === undefined) {
    return controlFailure("no_answer", `${who}, but has no control channel for this user`);
  }
  const { ControlClient } = await import("./control-client.ts");
  const socket = connect(address);
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(timeoutMs) });
    return { ok: true, client: new ControlClient(socket) };
  } catch (error) {
    socket.destroy();
    return controlFailure(
      "no_answer",
      `${who}, but cannot be reached from here: ${errorCode(error)}`,
    );
  }
};
