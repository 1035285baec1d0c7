import type { CognitiveSchema } from "../settings.ts";
import type { Wanted } from "./ask-until-read.ts";
import { type Reply, readReply } from "./read-reply.ts";
import { REPLY_FORMS } from "./reply-form.ts";

/** What is wanted of a model that is to decide on an action. */
export const decisionWanted = (about: {
  readonly schema: CognitiveSchema;
  readonly jsonDepthMax: number;
}): Wanted<Reply> => ({
  form: REPLY_FORMS[about.schema],
  read: (text) => {
    const read = readReply(text, about);
    return read.ok ? { ok: true, value: read.reply } : read;
  },
});
