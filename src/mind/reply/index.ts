export {
  type Ask,
  askUntilRead,
  type Failure,
  type PutQuestion,
  type Wanted,
} from "./ask-until-read.ts";
export { decisionWanted } from "./decision.ts";
export { extractJson } from "./extract-json.ts";
export type { Reply } from "./read-reply.ts";
export { replyGuide } from "./reply-form.ts";
