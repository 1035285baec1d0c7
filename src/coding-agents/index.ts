export {
  momentName,
  momentVerb,
  type NodeLabel,
  NodeNames,
  PROSE_CHARS_COMPARED,
  termOf,
} from "./moments/moment-names.ts";
export { type ConversationTurn, segmentLine, turnLine } from "./program/conversation-batch.ts";
export { killMarked, newMark } from "./program/marked-processes.ts";
export {
  type AgentProgram,
  type AgentProvider,
  installedAgents,
  PROVIDERS,
} from "./program/providers.ts";
export { runTurn, type TurnRequest, type TurnResult } from "./program/run-turn.ts";
export type { Segment } from "./program/stream/segment.ts";
export type { StreamFormat } from "./program/stream/stream-reader.ts";
export type { AgentStatus } from "./program/turn-log.ts";
export { codingAgentFeature, TURN_METHODS, turnStatus } from "./turns/coding-turns.ts";
export { turnCall } from "./turns/turn-call.ts";
export { type WorkTask, work } from "./work/work.ts";
export { type MomentNode, type MomentRecord, WorkMoments } from "./work/work-moments.ts";
