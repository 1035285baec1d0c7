import { html } from "htm/preact";
import type { AgentView, MessageThreads, MomentPage } from "../../../../routes/index.ts";
import { Fold, Panel, Text } from "../../../parts/parts.ts";
import { countText, signedText } from "../../../parts/text.ts";
import { periodOf } from "../../address.ts";
import { Link, MomentLink, useMoment, type ViewParts } from "../../view.ts";
import { Thread } from "../messages.ts";
import { proseText } from "../moments/prose-text.ts";

type LifeParts = { readonly agent: string; readonly parts: ViewParts };

const THREADS = 3;

/** The newest threads of messages in which an agent wrote or was written to. */
export const AgentMessages = ({ agent, parts }: LifeParts) => {
  const query = new URLSearchParams({ of: agent, limit: String(THREADS) });
  const { value } = useMoment<MessageThreads>(`${parts.path}/messages?${query}&`, parts);
  const { total = 0, threads = [] } = value ?? {};
  return html`
    <${Panel} title="Messages">
      ${total === 0 && html`<p class="note">No messages yet.</p>`}
      ${threads.map((each) => html`<${Thread} key=${each.thread} of=${each} parts=${parts} />`)}
      ${
        total > threads.length &&
        html`<p><${Link} to=${{ ...parts.address, view: "messages", item: agent }}>
          All ${countText(total, "thread")}<//></p>`
      }
    <//>
  `;
};

const MOMENTS = 8;

/** The newest moments of an agent. */
export const AgentMoments = ({ agent, parts }: LifeParts) => {
  const query = new URLSearchParams({ agent, order: "newest", limit: String(MOMENTS) });
  const { value } = useMoment<MomentPage>(`${parts.path}/moments?${query}&`, parts);
  const { total = 0, rows = [] } = value ?? {};
  const { address } = parts;
  return html`
    <${Panel} title="Moments">
      ${value !== null && total === 0 && html`<p class="note">None yet.</p>`}
      <ol class="thoughts">
        ${rows.map(
          ({ seq, at_ms, name, prose, paid, received }) => html`<li class="thought" key=${seq}>
            <p class="thought-head">
              <span class="note"><${MomentLink} seq=${seq} atMs=${at_ms} parts=${parts} /></span>
              <strong><${Link} to=${{ ...address, view: "moments", item: String(seq) }}>
                ${name}<//></strong>
              ${
                received !== paid &&
                html`<span class="note">${signedText(received - paid)} scrip</span>`
              }
            </p>
            <p class="prose"><bdi>${proseText(prose)}</bdi></p>
          </li>`,
        )}
      </ol>
      ${
        total > rows.length &&
        html`<p><${Link} to=${{
          ...address,
          view: "moments",
          item: null,
          filter: { ...periodOf(address), agent },
        }}>
          All ${countText(total, "moment")}<//></p>`
      }
    <//>
  `;
};

/** The files of an agent's workspace. Nothing for agents without one. */
export const AgentWorkspace = ({ agent }: { readonly agent: Pick<AgentView, "workspace"> }) => {
  const { workspace: files } = agent;
  if (files === null) return null;
  return html`
    <${Panel} title="Workspace">
      ${files.length === 0 && html`<p class="note">It has no files yet.</p>`}
      ${files.map(
        ({ path, text }) => html`<${Fold} key=${path} title=${path}>
          <${Text} label=${path} text=${text} />
        <//>`,
      )}
    <//>
  `;
};
