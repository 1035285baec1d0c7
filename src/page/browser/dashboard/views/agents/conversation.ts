import { html } from "htm/preact";
import { useState } from "preact/hooks";
import type { ConversationView, SaidLine } from "../../../../routes/index.ts";
import { Alert, Json, Panel, Text } from "../../../parts/parts.ts";
import { numberText } from "../../../parts/text.ts";
import { useMoment, type ViewParts } from "../../view.ts";

type ConversationParts = { readonly agentPath: string; readonly parts: ViewParts };

const FIRST = 10;
const MORE = 200;

/** What an agent with tools and its model said, newest first. Nothing for other agents. */
export const Conversation = ({ agentPath, parts }: ConversationParts) => {
  const [limit, setLimit] = useState(FIRST);
  const asked = `${agentPath}/conversation?limit=${limit}&`;
  const { value, problem } = useMoment<ConversationView>(asked, parts);
  if (value === null || value.total === 0) return null;
  const { total, lines } = value;
  const hasMore = total > lines.length && limit < MORE;
  return html`
    <${Panel} title="Conversation">
      <${Alert} problem=${problem} />
      <p class="note">
        ${lines.length === total ? "All" : `The latest ${lines.length} of`} ${numberText(total)}
        ${" "}entries of the conversation that its mind keeps
      </p>
      <ol class="conversation">
        ${lines
          .map((line, at) => html`<${Said} key=${total - lines.length + at} line=${line} />`)
          .toReversed()}
      </ol>
      ${hasMore && html`<button type="button" onClick=${() => setLimit(MORE)}>Show more</button>`}
    <//>
  `;
};

const SPEAKERS = { user: "the world", assistant: "the agent", tool: "tool" } as const;

const Said = ({ line }: { readonly line: SaidLine }) => {
  const { role, tool, is_error: isError, text, calls } = line;
  const speaker = tool === null ? SPEAKERS[role] : `${tool}${isError ? ", failed" : ""}`;
  return html`
    <li class=${isError ? "is-refused" : ""}>
      <strong><bdi>${speaker}</bdi></strong>
      ${
        role === "assistant"
          ? html`<p><bdi>${text}</bdi></p>`
          : html`<${Text} label=${speaker} text=${text} />`
      }
      ${calls.map(
        ({ name, args }, at) => html`<${Json} key=${at} title=${`Calls ${name}`} value=${args} />`,
      )}
    </li>
  `;
};
