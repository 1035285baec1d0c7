import { z } from "zod";
import { isObject, type JsonObject } from "../../kernel/index.ts";
import {
  asJson,
  messageAction,
  readableAction,
  searchAction,
  sendAction,
  sleepOf,
  WAKES,
  WORLD_ABOUT,
  WORLD_INPUTS,
} from "../../mind/index.ts";
import { missing } from "../workspace/edit.ts";
import { readPath } from "../workspace/files.ts";
import { HEARTBEAT_OK, isHeartbeatOk } from "./heartbeat.ts";
import { answered, failed, type Tool, type ToolMoment, type ToolOutcome, tool } from "./tool.ts";

/** An action, if the world could read it. Otherwise the model learns at once what is wrong. */
const acting = (action: JsonObject, { jsonDepthMax }: ToolMoment): ToolOutcome => {
  const read = readableAction(action, jsonDepthMax);
  return read.ok ? { kind: "acts", action: read.action } : failed(read.problem);
};

/** The arguments came from JSON, so they are plain data. */
const fieldsOf = (given: object): JsonObject => {
  const json = asJson(given);
  return isObject(json) ? json : {};
};

const ACTS = "It is your action in this step, so it counts against your quotas.";

const LOOK = tool({
  name: "look",
  description: "Shows your situation: money, quotas, your artifacts, the market, the mint.",
  input: z.strictObject({}),
  run: (_, { situation }) => answered(situation()),
});

const SEARCH = tool({
  name: "search_market",
  description: `${WORLD_ABOUT.search} ${ACTS}`,
  input: WORLD_INPUTS.search,
  run: ({ words }, moment) => acting(searchAction(words), moment),
});

const READ = tool({
  name: "read_artifact",
  description: `${WORLD_ABOUT.read} ${ACTS}`,
  input: WORLD_INPUTS.read,
  run: (fields, moment) => acting({ read_artifact: fieldsOf(fields) }, moment),
});

const WRITE = tool({
  name: "write_artifact",
  description: `${WORLD_ABOUT.write} code_file: the file of your workspace with the code. ${ACTS}`,
  input: WORLD_INPUTS.write.extend({
    code_file: z.string().optional().describe("the path of the file that has the code"),
  }),
  run: (given, moment) => {
    const { code_file: path, ...fields } = fieldsOf(given);
    if (typeof path !== "string") return acting({ write_artifact: fields }, moment);
    const read = readPath(path, moment.files);
    if (!read.ok) return failed(read.problem);
    const code = moment.files.get(read.path);
    if (code === undefined) return failed(missing(moment.files, read.path));
    return acting({ write_artifact: { ...fields, code } }, moment);
  },
});

const INVOKE = tool({
  name: "invoke_artifact",
  description: `${WORLD_ABOUT.invoke} ${ACTS}`,
  input: WORLD_INPUTS.invoke,
  run: (fields, moment) => acting({ invoke_artifact: fieldsOf(fields) }, moment),
});

const SEND = tool({
  name: "send_message",
  description: `${WORLD_ABOUT.send} ${ACTS}`,
  input: WORLD_INPUTS.send,
  run: (given, moment) =>
    isHeartbeatOk(given.text)
      ? failed(`say ${HEARTBEAT_OK} without a tool: it is sent to no one`)
      : acting(messageAction(given), moment),
});

export const HAND_ON_NAME = "hand_on";

const HAND_ON = tool({
  name: HAND_ON_NAME,
  description:
    "Hands your turn on to another agent: sends it your text, with the message that you answer " +
    `in this turn, and ends the turn. Its answer starts a turn of yours. ${ACTS}`,
  input: z.strictObject({ to: z.string(), text: z.string() }),
  run: ({ to, text }, moment) => {
    if (moment.focus !== null) return failed("a helper or a heartbeat cannot hand its turn on");
    const options = moment.owes === null ? {} : { forward: moment.owes.message };
    return acting(sendAction(to, text, options), moment);
  },
});

const WAIT = tool({
  name: "wait",
  description: "Ends your turn and sleeps, which is free. Your next turn starts afterwards.",
  input: z.strictObject({
    for_s: z.number().min(0).max(1e9).describe("seconds to sleep"),
    until: z
      .array(z.union(Object.values(WAKES)))
      .optional()
      .describe("conditions that end the sleep early"),
  }),
  run: ({ for_s, until = [] }, { sleepMaxS }) => {
    const sleep = sleepOf({ for_s: Math.min(for_s, sleepMaxS), until });
    const text = `your turn ends, and you sleep up to ${sleep.for_ms / 1_000} s`;
    return { kind: "ends", text, sleep };
  },
});

const END = tool({
  name: "end_turn",
  description: "Ends your turn. Your next turn starts with a new look at the world.",
  input: z.strictObject({ summary: z.string().optional().describe("what you have achieved") }),
  run: () => ({ kind: "ends", text: "your turn ends", sleep: null }),
});

export const WORLD_TOOLS: readonly Tool<ToolOutcome>[] = [
  LOOK,
  SEARCH,
  READ,
  WRITE,
  INVOKE,
  SEND,
  HAND_ON,
  WAIT,
  END,
];
