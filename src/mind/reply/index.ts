export { extractJson } from "./extract-json.ts";
export { type Reply, readReply } from "./read-reply.ts";
export { REPLY_FORMS, replyGuide } from "./reply-form.ts";
