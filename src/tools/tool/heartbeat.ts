import { type JsonObject, OPERATOR, type View } from "../../kernel/index.ts";
import { hasMessenger, sendAction, sentIn } from "../../mind/index.ts";
import { type Conversation, newSide } from "../conversation/conversation.ts";
import { filesIn } from "../workspace/files.ts";
import type { ToolSettings } from "./tool-settings.ts";

export const HEARTBEAT = "heartbeat";
export const HEARTBEAT_FILE = "HEARTBEAT.md";
/** What a model says if a heartbeat finds nothing to do. It is sent to no one. */
export const HEARTBEAT_OK = "HEARTBEAT_OK";

const heartbeatText = (orders: string): string =>
  `This is your heartbeat. These are your standing orders, from ${HEARTBEAT_FILE}:

${orders}

Do what they ask for now. Your last text goes to the operator, so say what matters. If there is
nothing to do or to say, answer only ${HEARTBEAT_OK}.`;

/**
 * When the next heartbeat of an agent is due, in ms of run time. Null: it has none. `files` is the
 * content of the workspace.
 */
export const nextHeartbeatMs = (
  main: Conversation,
  tools: ToolSettings,
  files: string,
): number | null => {
  if (tools.heartbeat === undefined || ordersIn(files) === "") return null;
  return main.last_heartbeat_ms + tools.heartbeat.every_s * 1_000;
};

const ordersIn = (content: string): string => (filesIn(content).get(HEARTBEAT_FILE) ?? "").trim();

/** Starts a heartbeat if one is due: a side without the messages of the main conversation. */
export const withHeartbeat = (
  main: Conversation,
  view: View,
  tools: ToolSettings,
): Conversation => {
  if (tools.heartbeat === undefined) return main;
  const files = view.workspace?.text ?? "";
  const dueMs = nextHeartbeatMs(main, tools, files);
  if (dueMs === null || dueMs > view.now || main.sides[HEARTBEAT] !== undefined) return main;
  const sent_before = view.mailbox.sent.at(-1)?.number ?? 0;
  const start = { trigger: "heartbeat", owes: null, sent_before } as const;
  const side = newSide(heartbeatText(ordersIn(files)), start);
  return { ...main, last_heartbeat_ms: view.now, sides: { ...main.sides, [HEARTBEAT]: side } };
};

const DECORATION = /[\s`*_."'#>-]+/g;

export const isHeartbeatOk = (text: string): boolean =>
  text.replaceAll(DECORATION, "") === HEARTBEAT_OK.replaceAll("_", "");

/** The report of a heartbeat to the operator, or null if it has nothing to say. */
export const reportFor = (sent_before: number, text: string, view: View): JsonObject | null => {
  const isSaid = sentIn(view, sent_before).some(({ to }) => to === OPERATOR);
  if (text.trim() === "" || isHeartbeatOk(text) || isSaid || !hasMessenger(view)) return null;
  return sendAction(OPERATOR, text.slice(0, view.messageCharsMax).toWellFormed(), {});
};
