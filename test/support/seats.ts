import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type ControlClient, connectToRun, type Launch } from "../../src/index.ts";
import { newRun, prepareRun, resumption } from "./simulation-run.ts";
import { folderWith, temporaryFolder } from "./temporary-folder.ts";

export { newRun, resumption };

/** A step of a script, in YAML, that publishes a program for 3 scrip. */
export const SELLS_DOUBLER = `  - write_artifact:
      artifact_id: shop_doubler
      artifact_type: program
      code: "function run(n) { return n * 2 }"
      price: 3
      interface:
        description: Doubles a number.
        methods:
          - name: run
            description: Doubles n.
            input_schema: { type: object, properties: { n: { type: number } }, required: [n] }
            examples: [{ args: [2], result: 4 }]
`;

/** A shop that sells, a chatty agent that writes to the seats, and two seats. */
export const SEAT_PERSONAS = {
  "shop/agent.yaml": `id: shop
mind: script
script_loop: false
script:
${SELLS_DOUBLER}  - sleep: { for_s: 100000 }
`,
  "ada/agent.yaml": "id: ada\nmind: seat\nseat: { move_s: 5 }\n",
  "bob/agent.yaml": "id: bob\nmind: seat\nseat: { absent: noop, absent_after_s: 100000 }\n",
};

export const personaFolder = (files: Readonly<Record<string, string>> = SEAT_PERSONAS): string =>
  folderWith(files);

/** A live run with its control channel, which is stopped after the test. */
export const liveRun = async (launch: Launch) => {
  const problem = await launch.openControl();
  if (problem !== null) throw new Error(problem);
  const ended = launch.run();
  onTestFinished(async () => {
    launch.runner.stop("signal");
    await ended;
  });
  return { launch, ended, folder: launch.directory.folder };
};

type SeatRun = {
  readonly agents?: string;
  readonly sets?: readonly string[];
  readonly runId?: string;
};

export const liveSeats = ({ agents, sets = [], runId }: SeatRun = {}) =>
  liveRun(
    prepareRun(temporaryFolder(), {
      agents: agents ?? personaFolder(),
      sets: ["run.duration_s=1000000", ...sets],
      ...(runId === undefined ? {} : { runId }),
    }),
  );

/** Resolves when the shop has published its program, and sleeps. */
export const shopSleeps = async ({ runner }: Launch): Promise<void> => {
  const state = () => [...runner.world.state.agents.rows()].find(({ id }) => id === "shop")?.state;
  await expect.poll(state).toBe("sleeping");
};

/** The address of the control channel of a live run. */
export const controlAddress = (folder: string): string =>
  JSON.parse(readFileSync(join(folder, "control.json"), "utf8")).address;

export const tokenOf = (folder: string, agent: string): string =>
  JSON.parse(readFileSync(join(folder, "seats.json"), "utf8"))[agent];

const connected = async (folder: string): Promise<ControlClient> => {
  const found = await connectToRun(folder);
  if (!found.ok) throw new Error(found.problem);
  onTestFinished(() => found.client.close());
  return found.client;
};

/** A client with the token of a seat. */
export const seatedAt = async (folder: string, agent: string) => {
  const client = await connected(folder);
  const seat = { agent, token: tokenOf(folder, agent) };
  return {
    client,
    seat,
    look: async () => {
      const answer = await client.call("seat_look", seat);
      if (!answer.ok) throw new Error(answer.problem);
      return answer.value;
    },
    act: (action: Parameters<typeof actionOf>[0], signal?: AbortSignal) =>
      client.call("seat_act", { ...seat, action: actionOf(action) }, signal),
    wait: (until: "message" | "move", timeout_s: number, signal?: AbortSignal) =>
      client.call("seat_wait", { ...seat, until, timeout_s }, signal),
  };
};

const actionOf = (action: { readonly [kind: string]: object }) =>
  JSON.parse(JSON.stringify(action));

export const BUY = { invoke_artifact: { artifact_id: "shop_doubler", method: "run", args: [21] } };
export const NOOP = { noop: {} };
export const letter = (to: string, text: string) => ({
  invoke_artifact: { artifact_id: "genesis_messenger", method: "send", args: [to, text] },
});
