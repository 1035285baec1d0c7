import { html } from "htm/preact";
import type { MemoryLine } from "../../dashboard/index.ts";
import { useAnswer } from "./ask.ts";
import { atQuery, versionOf } from "./moment.ts";
import { Panel } from "./parts.ts";
import type { ViewParts } from "./views.ts";
import { shown, timeText } from "./words.ts";

type MemoryParts = { readonly agent: string; readonly parts: ViewParts };

/** What an agent has taken into its memory last. */
export const Memories = ({ agent, parts }: MemoryParts) => {
  const asked = `${agent}/memories?limit=20&${atQuery(parts.address)}`;
  const { value } = useAnswer<{ memories: readonly MemoryLine[] }>(asked, versionOf(parts));
  const memories = value?.memories ?? [];
  return html`
    <${Panel} title="Memory">
      ${
        memories.length === 0
          ? html`<p class="note">It has taken nothing into its memory.</p>`
          : null
      }
      <ul class="memories">
        ${memories.map(
          ({ seq, at_ms, memory, text }) => html`<li key=${seq}>
            <span class="note">${timeText(at_ms / 1_000)} · ${shown(memory)}</span>
            <p><bdi>${shown(text)}</bdi></p>
          </li>`,
        )}
      </ul>
    <//>
  `;
};
