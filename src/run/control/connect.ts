import { once } from "node:events";
import { connect } from "node:net";
import { basename } from "node:path";
import { errorCode, runHolder } from "../../world/index.ts";
import { readControlFile } from "../files/run-files.ts";
import type { ControlClient } from "./control-client.ts";
import {
  type ControlFailure,
  controlFailure,
  type MethodForms,
  type OPERATOR_METHODS,
} from "./protocol.ts";

const CONNECT_MS_MAX = 2_000;

type Connected<Forms extends MethodForms = typeof OPERATOR_METHODS> =
  | { readonly ok: true; readonly client: ControlClient<Forms> }
  | ControlFailure;

/**
 * Connects to the live run in `folder`, to call the methods in `forms`. The failure `not_running`
 * names the cure, `no_answer` the process that runs it.
 */
export const connectToRun = async <Forms extends MethodForms>(
  folder: string,
  forms: Forms,
): Promise<Connected<Forms>> => {
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
  const late = AbortSignal.timeout(CONNECT_MS_MAX);
  try {
    await once(socket, "connect", { signal: late });
    return { ok: true, client: new ControlClient(socket, forms) };
  } catch (error) {
    socket.destroy();
    const why = late.aborted
      ? `gave no answer in ${CONNECT_MS_MAX / 1_000} s`
      : `cannot be reached from here: ${errorCode(error)}`;
    return controlFailure("no_answer", `${who}, but ${why}`);
  }
};
