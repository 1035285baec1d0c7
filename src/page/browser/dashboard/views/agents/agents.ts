import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import type { AgentRow, AgentView, MemoryLine } from "../../../../routes/index.ts";
import {
  Badge,
  Facts,
  Fold,
  Json,
  type NameAndValue,
  Panel,
  Pending,
  Text,
} from "../../../parts/parts.ts";
import { type Column, numberColumn, SortedTable, Table, textColumn } from "../../../parts/table.ts";
import {
  actionText,
  bytesText,
  dollarText,
  momentText,
  numberText,
  percentText,
  wordsText,
} from "../../../parts/text.ts";
import { periodOf, SEAT_VIEW } from "../../address.ts";
import { useAnswer } from "../../api.ts";
import { canCommand, useCommands } from "../../controls.ts";
import { ArtifactLink, Link, PrincipalLink, useMoment, type ViewParts } from "../../view.ts";
import { RowsPanel } from "../rows-panel.ts";
import { AgentMessages, AgentMoments, AgentWorkspace } from "./agent-life.ts";
import { AgentPictures } from "./agent-pictures.ts";
import { Conversation } from "./conversation.ts";
import { MoneyTrailPanel } from "./money-trail.ts";
import { Thoughts } from "./thoughts.ts";

export const AgentsView = (parts: ViewParts) => {
  const { address, path } = parts;
  if (address.item !== null) return html`<${AgentPage} key=${address.item} ...${parts} />`;
  return html`<${RowsPanel}
    title="Agents" path=${`${path}/agents`} parts=${parts} columns=${columnsOf(parts)}
    first="-wealth" placeholder="Search by name or status"
  />`;
};

const columnsOf = ({ address }: ViewParts): readonly Column<AgentRow>[] => [
  {
    title: "agent",
    sort: "id",
    cell: ({ id }) => html`<${Link}
      to=${{ ...address, item: id, filter: periodOf(address) }}>${id}<//>`,
  },
  { title: "status", sort: "status", cell: ({ status }) => html`<${Badge} status=${status} />` },
  numberColumn("wealth", "wealth"),
  numberColumn("held", "held"),
  numberColumn("model budget", "llm_budget_micros", dollarText),
  numberColumn("actions", "actions"),
  numberColumn("succeeded", successRate, percentText),
  numberColumn("thoughts", "thoughts"),
  { title: "last action", cell: ({ last }) => (last === null ? "" : lastText(last)) },
];

const successRate = ({ actions, succeeded }: AgentRow): number | null =>
  actions === 0 ? null : succeeded / actions;

const lastText = ({ action, target, method, ok }: NonNullable<AgentRow["last"]>): string =>
  wordsText(ok ? "" : "failed:", action, target, method);

const AgentPage = (parts: ViewParts) => {
  const agentPath = `${parts.path}/agents/${encodeURIComponent(parts.address.item ?? "")}`;
  const { value, problem } = useMoment<AgentView>(agentPath, parts);
  const asked = Number(parts.address.filter?.payment ?? "");
  const isAsked = Number.isSafeInteger(asked) && asked > 0;
  const [explained, explain] = useState(isAsked ? { seq: asked } : null);
  useEffect(() => {
    if (isAsked) explain((now) => (now?.seq === asked ? now : { seq: asked }));
  }, [asked]);
  if (value === null) return html`<${Pending} problem=${problem} />`;
  const { id } = value;
  const trail = html`
    <${MoneyTrailPanel} agentPath=${agentPath} parts=${parts} explained=${explained} />`;
  return html`
    <${About} agent=${value} parts=${parts} agentPath=${agentPath} />
    ${
      // Below the charts, which come later, the explanation would move out of sight.
      isAsked && trail
    }
    <${AgentPictures} agentPath=${agentPath} parts=${parts}
      explain=${(seq: number) => explain({ seq })} />
    <div class="columns is-uneven">
      <div>
        ${!isAsked && trail}
        <${Conversation} agentPath=${agentPath} parts=${parts} />
        <${Thoughts} agentPath=${agentPath} parts=${parts} />
        <${AgentMessages} agent=${id} parts=${parts} />
        <${AgentMoments} agent=${id} parts=${parts} />
        <${AgentWorkspace} agent=${value} />
      </div>
      <div>
        <${Owned} agent=${value} parts=${parts} />
        <${Memories} agentPath=${agentPath} parts=${parts} />
        <${Mind} agent=${value} />
      </div>
    </div>
  `;
};

type AgentParts = { readonly agent: AgentView; readonly parts: ViewParts };

type AboutParts = AgentParts & { readonly agentPath: string };

const About = ({ agent, parts, agentPath }: AboutParts) => {
  const { result, send } = useCommands();
  const { id, state } = agent;
  const kind = state === "paused" ? "resume_agent" : "pause_agent";
  const can = canCommand(parts.tick) && parts.address.at === null && state !== "stopped";
  return html`
    <${Panel} title=${id} class="about">
      ${
        can &&
        html`<p class="controls">
          <button type="button" onClick=${() => send({ kind, agent: id })}>
            ${kind === "resume_agent" ? "Resume this agent" : "Pause this agent"}
          </button>
          ${
            agent.client_mind === "seat" &&
            html`<${Link} to=${{ ...parts.address, view: SEAT_VIEW, item: id }}>Play this seat<//>`
          }
          <span class="said" role="status">${result}</span>
        </p>`
      }
      <p class="standing">
        <${Badge} status=${agent.status} /> <span><bdi>${agent.reason}</bdi></span>
      </p>
      ${agent.client_mind === "cli" && html`<${TurnLine} agentPath=${agentPath} parts=${parts} />`}
      <${Facts} facts=${factsOf(agent, parts)} />
    <//>
  `;
};

type TurnAnswer = { readonly turn: { readonly kind: string; readonly tool: string | null } | null };

/** What the program of a coding agent does now, if its run is live. */
const TurnLine = ({ agentPath, parts }: { agentPath: string; parts: ViewParts }) => {
  const { value } = useAnswer<TurnAnswer>(`${agentPath}/turn`, parts.tick.seq);
  if (value === null || value.turn === null || parts.address.at !== null) return null;
  const { kind, tool } = value.turn;
  return html`<p class="note">Its program is in a turn: ${kind} <bdi>${tool}</bdi></p>`;
};

const factsOf = (agent: AgentView, parts: ViewParts): readonly NameAndValue[] => {
  const { next, owner, parent } = agent;
  const agentLink = (id: string) => html`<${PrincipalLink} id=${id} parts=${parts} />`;
  return [
    ["wealth", `${numberText(agent.wealth)} scrip, free and held`],
    ["scrip", `${numberText(agent.scrip)} scrip`],
    ["held", `${numberText(agent.held)} scrip`],
    ["in own programs", `${numberText(agent.in_own_programs)} scrip`],
    ["model budget", `${dollarText(agent.llm_budget_micros)}, simulated`],
    ["budget spent", `${dollarText(agent.spent_micros)}, simulated`],
    ["disk", `${bytesText(agent.disk_used)} of ${bytesText(agent.disk_quota)}`],
    ["actions", `${numberText(agent.actions)}, ${numberText(agent.succeeded)} succeeded`],
    ["thoughts", `${numberText(agent.thoughts)}, ${numberText(agent.thoughts_failed)} failed`],
    ["next", next === null ? "nothing scheduled" : `${next.step} at ${momentText(next.at_ms)}`],
    ...(agent.pending === null ? [] : ([["about to", actionText(agent.pending)]] as const)),
    ...(owner === agent.id ? [] : ([["owner", agentLink(owner)]] as const)),
    ...(parent === null ? [] : ([["spawned by", agentLink(parent)]] as const)),
  ];
};

type AgentAction = AgentView["history"][number];

const ACTIONS: readonly Column<AgentAction>[] = [
  { title: "at", isNumber: true, cell: ({ atMs }) => momentText(atMs) },
  { title: "action", cell: ({ action, target, method }) => wordsText(action, target, method) },
  {
    title: "result",
    isProse: true,
    cell: ({ ok, code, message }) => (ok ? message : `${code}: ${message}`),
  },
];

/** The state that an agent's loop and mind keep between thoughts. */
const Mind = ({ agent }: { readonly agent: AgentView }) => {
  const actions = (title: string, rows: readonly AgentAction[]) => html`
    <${Fold} title=${title}>
      <${Table} caption=${title} columns=${ACTIONS} rows=${rows.toReversed()} />
    <//>`;
  const text = (title: string, content: string) => html`
    <${Fold} title=${title}><${Text} label=${title} text=${content} /><//>`;
  return html`
    <${Panel} title="Mind and workflow">
      ${actions("Latest actions", agent.history)}
      ${actions("Latest failures", agent.failures)}
      ${text("Configuration", agent.configuration)}
      ${agent.memory_artifact === null ? null : text("Memory artifact", agent.memory_artifact)}
      <${Json} title="State of its mind (workflow or policy)" value=${agent.mind} />
      ${agent.sleep === null ? null : html`<${Json} title="Sleep" value=${agent.sleep} />`}
      <${Json} title="Rate windows" value=${agent.windows} />
    <//>
  `;
};

type MemoryParts = { readonly agentPath: string; readonly parts: ViewParts };

const Memories = ({ agentPath, parts }: MemoryParts) => {
  const asked = `${agentPath}/memories?limit=20&`;
  const { value } = useMoment<{ memories: readonly MemoryLine[] }>(asked, parts);
  const memories = value?.memories ?? [];
  return html`
    <${Panel} title="Memory">
      ${memories.length === 0 ? html`<p class="note">No memories yet.</p>` : null}
      <ul class="memories">
        ${memories.map(
          ({ seq, at_ms, memory, text }) => html`<li key=${seq}>
            <span class="note">${momentText(at_ms)} · ${memory}</span>
            <p><bdi>${text}</bdi></p>
          </li>`,
        )}
      </ul>
    <//>
  `;
};

const OWNED_FIRST = 20;

const Owned = ({ agent, parts }: AgentParts) => {
  const columns: readonly Column<AgentView["owns"][number]>[] = [
    { ...textColumn("artifact", ({ id }) => id), cell: ({ id }) => ArtifactLink({ id, parts }) },
    textColumn("type", ({ type }) => type),
    numberColumn("price", "price"),
  ];
  return html`
    <${Panel} title="Owns">
      <${SortedTable} caption="Artifacts that it owns" columns=${columns} rows=${agent.owns}
        first=${OWNED_FIRST} />
    <//>
  `;
};
