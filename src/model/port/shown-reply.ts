import { blocksIn } from "./chat.ts";
import { isChatForm, type ModelReply, type ModelRequest, type ReplyDelta } from "./model.ts";
import { VECTORS } from "./vectors.ts";

/** Shows a reply that is already complete, each text at once or word by word. */
export const showReply = (
  reply: ModelReply,
  { form, onDelta }: ModelRequest,
  by: "text" | "word" = "text",
): void => {
  if (onDelta === undefined || !reply.ok || form === VECTORS) return;
  for (const delta of isChatForm(form) ? deltasIn(reply.text) : [textDelta(reply.text)]) {
    if (delta.type === "tool_call") onDelta(delta);
    else
      for (const text of by === "text" ? [delta.text] : wordsIn(delta.text)) {
        if (text !== "") onDelta({ type: delta.type, text });
      }
  }
};

const textDelta = (text: string): ReplyDelta => ({ type: "text", text });

const deltasIn = (text: string): readonly ReplyDelta[] =>
  blocksIn(text)?.map(({ meta: _, ...delta }) => delta) ?? [textDelta(text)];

/** The words with the space after them. Together, they are the text. */
const wordsIn = (text: string): readonly string[] => text.match(/^\s+|\S+\s*/g) ?? [];
