import { html } from "htm/preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { AgentOverTime, AgentRow, AgentView, MemoryLine } from "../../../routes/index.ts";
import { ChartPanel, lineChart } from "../../charts/index.ts";
import {
  Badge,
  Facts,
  Fold,
  Json,
  type NameAndValue,
  Panel,
  Pending,
  Text,
} from "../../parts/parts.ts";
import { type Column, numberColumn, SortedTable, Table, textColumn } from "../../parts/table.ts";
import {
  actionText,
  bytesText,
  dollarText,
  momentText,
  numberText,
  percentText,
  signedText,
  wordsText,
} from "../../parts/text.ts";
import { type Address, periodOf, SEAT_VIEW } from "../core/address.ts";
import { useAnswer } from "../core/api.ts";
import { canCommand, useCommands } from "../core/controls.ts";
import { RowsPanel } from "../core/row-lines.ts";
import {
  ArtifactLink,
  jumpAt,
  Link,
  MomentLink,
  PrincipalLink,
  periodQuery,
  periodText,
  useMoment,
  type ViewParts,
} from "../core/view.ts";
import {
  AgentMessages,
  AgentMoments,
  AgentWorkspace,
  Conversation,
  Thoughts,
} from "./agent-life.ts";
import { MoneyTrailPanel } from "./money-trail.ts";

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

type PictureParts = {
  readonly agentPath: string;
  readonly parts: ViewParts;
  /** Opens the trail of a payment, given by its event. */
  readonly explain: (seq: number) => void;
};

/** The wealth, the income and the model budget of an agent over time, with its largest payments. */
const NET_NOTE = "Sales and loans are less what the agent gave to the escrow and for loans.";

const AgentPictures = ({ agentPath, parts, explain }: PictureParts) => {
  const query = periodQuery(parts);
  const path = `${agentPath}/history?${query ?? ""}`;
  const { value, problem } = useMoment<AgentOverTime>(path, parts);
  const when = value === null || query === null ? null : periodText(value.period);
  const specs = useMemo(() => value && specsOf(value, when, parts.address), [value]);
  if (value === null || specs === null) return html`<${Pending} problem=${problem} />`;
  return html`
    <div class="pictures is-of-one">
      ${specs.map(
        (spec, at) => html`<${ChartPanel} key=${spec.title} make=${lineChart} spec=${spec}
          wide=${at === 0} />`,
      )}
      <div class="is-wide">
        <${Payments} payments=${value.payments} when=${when} parts=${parts} explain=${explain} />
      </div>
    </div>
  `;
};

const BARS_NOTE = "The bars are the largest payments: up if received, down if given.";

const specsOf = (history: AgentOverTime, when: string | null, address: Address) => {
  const { at_ms, wealth, budget_micros, income, payments, jumps } = history;
  const caption = when === null ? {} : { jumpsWhen: when };
  return [
    {
      title: "Wealth",
      note: `Free and held scrip. ${BARS_NOTE}`,
      unit: "scrip",
      atMs: at_ms,
      ...caption,
      jumps: jumps.wealth.map((jump) => jumpAt(jump, "wealth", address)),
      series: [
        { label: "wealth", values: wealth, style: "area" as const },
        { label: "largest payments", values: paidAt(at_ms, payments), style: "bars" as const },
      ],
    },
    {
      title: "Income by kind",
      note: `${income.length === 0 ? "None yet" : "The sum of each kind so far"}. ${NET_NOTE}`,
      unit: "scrip",
      top: 2,
      atMs: at_ms,
      series: income.map(({ source, scrip }) => ({ label: source, values: scrip })),
    },
    {
      title: "Model budget",
      note: "What it can still spend on thoughts. The money is simulated.",
      unit: "USD",
      atMs: at_ms,
      ...caption,
      jumps: jumps.budget.map((jump) => jumpAt(jump, "budget", address)),
      series: [
        {
          label: "budget",
          values: budget_micros.map((micros) => (micros === null ? null : micros / 1e6)),
          style: "area" as const,
        },
      ],
    },
  ];
};

type Payment = AgentOverTime["payments"][number];

/** The sums of the payments at the values of a chart that come next. */
const paidAt = (atMs: readonly number[], payments: readonly Payment[]) => {
  const sums = new Map<number, number>();
  for (const { at_ms, amount } of payments) {
    const place = Math.max(
      0,
      atMs.findIndex((each) => each >= at_ms),
    );
    sums.set(place, (sums.get(place) ?? 0) + amount);
  }
  return atMs.map((_, place) => sums.get(place) ?? null);
};

type PaymentsParts = Pick<PictureParts, "parts" | "explain"> & {
  readonly payments: readonly Payment[];
  /** The part of the run, or null for all of it. */
  readonly when: string | null;
};

const Payments = ({ payments, when, parts, explain }: PaymentsParts) => {
  const columns: readonly Column<Payment>[] = [
    {
      title: "at",
      isNumber: true,
      cell: ({ seq, at_ms: atMs }) => MomentLink({ seq, atMs, parts }),
    },
    { title: "scrip", isNumber: true, cell: ({ amount }) => signedText(amount) },
    { title: "what", cell: ({ what }) => what },
    {
      title: "from or to",
      cell: ({ other: id }) => (id === null ? "the world" : PrincipalLink({ id, parts })),
    },
    { title: "for", cell: ({ artifact: id }) => (id === null ? "–" : ArtifactLink({ id, parts })) },
    {
      title: "why",
      cell: ({ seq }) => html`<button type="button" class="in-table"
        onClick=${() => explain(seq)}>Explain</button>`,
    },
  ];
  return html`
    <${Panel} title="Largest payments" note=${when === null ? undefined : `Payments ${when}.`}>
      <${Table} caption="Largest payments, in order of time" columns=${columns} rows=${payments} />
    <//>
  `;
};
