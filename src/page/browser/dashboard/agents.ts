import { html } from "htm/preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import {
  type AgentOverTime,
  type Cause,
  type ExplainedAction,
  type LineSpec,
  type MessageThreads,
  type MoneyTrail,
  remainderOf,
  type Stream,
} from "../../../read/index.ts";
import {
  bytesText,
  countText,
  dollarText,
  momentText,
  numberText,
  percentText,
  signedText,
  timeText,
} from "../../../text/index.ts";
import type {
  AgentRow,
  AgentView,
  CallLine,
  CallText,
  ConversationView,
  MemoryLine,
  MomentPage,
  SaidLine,
  ThoughtLine,
} from "../../routes/index.ts";
import { LineChart } from "../charts/index.ts";
import {
  Alert,
  Badge,
  Facts,
  Fold,
  Json,
  type NameAndValue,
  Panel,
  Pending,
  Text,
  useLimit,
} from "../parts/parts.ts";
import {
  type Column,
  numberColumn,
  proseColumn,
  SortedTable,
  Table,
  textColumn,
} from "../parts/table.ts";
import { actionText, fieldsOf, proseText, wordsText } from "../parts/text.ts";
import { type Address, periodOf, SEAT_VIEW } from "./core/address.ts";
import { useAnswer } from "./core/api.ts";
import { canCommand, useCommands } from "./core/controls.ts";
import { RowsPanel } from "./core/row-lines.ts";
import {
  artifactColumn,
  jumpAt,
  Link,
  MOMENT_COLUMN,
  MomentLink,
  PrincipalLink,
  periodQuery,
  periodText,
  principalColumn,
  useMoment,
  useView,
  ViewLink,
} from "./core/view.ts";
import { Thread } from "./messages.ts";

const COLUMNS: readonly Column<AgentRow>[] = [
  { ...principalColumn<AgentRow>("agent", ({ id }) => id), sort: "id" },
  { title: "status", sort: "status", cell: ({ status }) => html`<${Badge} status=${status} />` },
  numberColumn("wealth", "wealth"),
  numberColumn("held", "held"),
  numberColumn("model budget", "llm_budget_micros", dollarText),
  numberColumn("actions", "actions"),
  numberColumn(
    "succeeded",
    ({ actions, succeeded }) => (actions === 0 ? null : succeeded / actions),
    percentText,
  ),
  numberColumn("thoughts", "thoughts"),
  {
    title: "last action",
    cell: ({ last }) =>
      last && wordsText(last.ok ? "" : "failed:", last.action, last.target, last.method),
  },
];

export const AgentsView = () => {
  const { item } = useView().address;
  return item === null
    ? html`<${RowsPanel} title="Agents" path="/agents" columns=${COLUMNS} first="-wealth"
        placeholder="Search by name or status" />`
    : html`<${AgentPage} key=${item} id=${item} />`;
};

const AgentPage = ({ id }: { readonly id: string }) => {
  const { address } = useView();
  const path = `/agents/${encodeURIComponent(id)}`;
  const { value, problem } = useMoment<AgentView>(path);
  const asked = Number(address.filter?.payment ?? "");
  const isAsked = Number.isSafeInteger(asked) && asked > 0;
  const [explained, explain] = useState(isAsked ? { seq: asked } : null);
  useEffect(() => {
    if (isAsked) explain((now) => (now?.seq === asked ? now : { seq: asked }));
  }, [asked]);
  if (value === null) return html`<${Pending} problem=${problem} />`;
  const trail = html`<${MoneyTrailPanel} path=${path} explained=${explained} />`;
  return html`
    <${About} agent=${value} path=${path} />
    ${
      // Below the charts, which come later, the explanation would move out of sight.
      isAsked && trail
    }
    <${Pictures} path=${path} explain=${(seq: number) => explain({ seq })} />
    <div class="columns is-uneven">
      <div>
        ${!isAsked && trail}
        <${Conversation} path=${path} />
        <${Thoughts} path=${path} />
        <${AgentMessages} agent=${id} />
        <${AgentMoments} agent=${id} />
        <${Workspace} files=${value.workspace} />
      </div>
      <div>
        <${Panel} title="Owns">
          <${SortedTable} caption="Artifacts that it owns" columns=${OWNED} rows=${value.owns}
            first=${20} />
        <//>
        <${Memories} path=${path} />
        <${Mind} agent=${value} />
      </div>
    </div>
  `;
};

type PathParts = { readonly path: string };

const About = ({ agent, path }: PathParts & { readonly agent: AgentView }) => {
  const { tick, address } = useView();
  const { result, send } = useCommands();
  const { id, state } = agent;
  const kind = state === "paused" ? "resume_agent" : "pause_agent";
  const can = canCommand(tick) && address.at === null && state !== "stopped";
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
            html`<${ViewLink} view=${SEAT_VIEW} item=${id}>Play this seat<//>`
          }
          <span class="said" role="status">${result}</span>
        </p>`
      }
      <p class="standing">
        <${Badge} status=${agent.status} /> <span><bdi>${agent.reason}</bdi></span>
      </p>
      ${agent.client_mind === "cli" && html`<${TurnLine} path=${path} />`}
      <${Facts} facts=${factsOf(agent)} />
    <//>
  `;
};

type TurnAnswer = { readonly turn: { readonly kind: string; readonly tool: string | null } | null };

/** What the program of a coding agent does now, if its run is live. */
const TurnLine = ({ path }: PathParts) => {
  const view = useView();
  const { value } = useAnswer<TurnAnswer>(`${view.path}${path}/turn`, view.tick.seq);
  if (value === null || value.turn === null || view.address.at !== null) return null;
  const { kind, tool } = value.turn;
  return html`<p class="note">Its program is in a turn: ${kind} <bdi>${tool}</bdi></p>`;
};

const factsOf = (agent: AgentView): readonly NameAndValue[] => {
  const { next, owner, parent } = agent;
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
    ...(agent.pending === null ? [] : [["about to", actionText(agent.pending)] as const]),
    ...(owner === agent.id ? [] : [["owner", html`<${PrincipalLink} id=${owner} />`] as const]),
    ...(parent === null ? [] : [["spawned by", html`<${PrincipalLink} id=${parent} />`] as const]),
  ];
};

const OWNED: readonly Column<AgentView["owns"][number]>[] = [
  artifactColumn("artifact", ({ id }) => id),
  textColumn("type", ({ type }) => type),
  numberColumn("price", "price"),
];

const ACTIONS: readonly Column<AgentView["history"][number]>[] = [
  { title: "at", isNumber: true, cell: ({ atMs }) => momentText(atMs) },
  textColumn("action", ({ action, target, method }) => wordsText(action, target, method)),
  proseColumn("result", ({ ok, code, message }) => (ok ? message : `${code}: ${message}`)),
];

/** The state that an agent's loop and mind keep between thoughts. */
const Mind = ({ agent }: { readonly agent: AgentView }) => {
  const actions = (title: string, rows: AgentView["history"]) => html`
    <${Fold} title=${title}>
      <${Table} caption=${title} columns=${ACTIONS} rows=${rows.toReversed()} />
    <//>`;
  const text = (title: string, content: string | null) =>
    content !== null &&
    html`<${Fold} title=${title}><${Text} label=${title} text=${content} /><//>`;
  return html`
    <${Panel} title="Mind and workflow">
      ${actions("Latest actions", agent.history)}
      ${actions("Latest failures", agent.failures)}
      ${text("Configuration", agent.configuration)}
      ${text("Memory artifact", agent.memory_artifact)}
      <${Json} title="State of its mind (workflow or policy)" value=${agent.mind} />
      ${agent.sleep !== null && html`<${Json} title="Sleep" value=${agent.sleep} />`}
      <${Json} title="Rate windows" value=${agent.windows} />
    <//>
  `;
};

const Memories = ({ path }: PathParts) => {
  const asked = `${path}/memories?limit=20&`;
  const { memories = [] } = useMoment<{ memories: readonly MemoryLine[] }>(asked).value ?? {};
  return html`
    <${Panel} title="Memory">
      ${memories.length === 0 && html`<p class="note">No memories yet.</p>`}
      <ul class="items memories">
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

/** The wealth, the income and the model budget of an agent over time, with its largest payments. */
const Pictures = ({ path, explain }: PathParts & { readonly explain: (seq: number) => void }) => {
  const view = useView();
  const query = periodQuery(view);
  const { value, problem } = useMoment<AgentOverTime>(`${path}/history?${query ?? ""}`);
  const when = value === null || query === null ? null : periodText(value.period);
  const specs = useMemo(() => value && specsOf(value, when, view.address), [value]);
  if (value === null || specs === null) return html`<${Pending} problem=${problem} />`;
  const columns: readonly Column<Payment>[] = [
    ...PAYMENTS,
    {
      title: "why",
      cell: ({ seq }) => html`<button type="button" class="in-table"
        onClick=${() => explain(seq)}>Explain</button>`,
    },
  ];
  return html`
    <div class="pictures is-of-one">
      ${specs.map(
        (spec, at) => html`<${LineChart} key=${spec.title} spec=${spec} wide=${at === 0} />`,
      )}
      <div class="is-wide">
        <${Panel} title="Largest payments" note=${when === null ? undefined : `Payments ${when}.`}>
          <${Table} caption="Largest payments, in order of time" columns=${columns}
            rows=${value.payments} />
        <//>
      </div>
    </div>
  `;
};

type Payment = AgentOverTime["payments"][number];

const PAYMENTS: readonly Column<Payment>[] = [
  MOMENT_COLUMN,
  numberColumn("scrip", "amount", signedText),
  textColumn("what", ({ what }) => what),
  principalColumn("from or to", ({ other }) => other, "the world"),
  artifactColumn("for", ({ artifact }) => artifact),
];

const specsOf = (
  history: AgentOverTime,
  when: string | null,
  address: Address,
): readonly LineSpec[] => {
  const { at_ms: atMs, wealth, budget_micros, income, payments, jumps } = history;
  const caption = when === null ? {} : { jumpsWhen: when };
  // The sums of the payments at the values of the chart that come next.
  const paid = new Map<number, number>();
  for (const { at_ms, amount } of payments) {
    const found = atMs.findIndex((each) => each >= at_ms);
    const place = Math.max(0, found);
    paid.set(place, (paid.get(place) ?? 0) + amount);
  }
  return [
    {
      title: "Wealth",
      note: "Free and held scrip. The bars are the largest payments: up if received, down if given.",
      unit: "scrip",
      atMs,
      ...caption,
      jumps: jumps.wealth.map((jump) => jumpAt(jump, "wealth", address)),
      series: [
        { label: "wealth", values: wealth, style: "area" },
        {
          label: "largest payments",
          values: atMs.map((_, place) => paid.get(place) ?? null),
          style: "bars",
        },
      ],
    },
    {
      title: "Income by kind",
      note:
        `${income.length === 0 ? "None yet" : "The sum of each kind so far"}. ` +
        "Sales and loans are less what the agent gave to the escrow and for loans.",
      unit: "scrip",
      top: 2,
      atMs,
      series: income.map(({ source, scrip }) => ({ label: source, values: scrip })),
    },
    {
      title: "Model budget",
      note: "What it can still spend on thoughts. The money is simulated.",
      unit: "USD",
      atMs,
      ...caption,
      jumps: jumps.budget.map((jump) => jumpAt(jump, "budget", address)),
      series: [
        {
          label: "budget",
          values: budget_micros.map((micros) => (micros === null ? null : micros / 1e6)),
          style: "area",
        },
      ],
    },
  ];
};

/** The newest threads of messages in which an agent wrote or was written to. */
const AgentMessages = ({ agent }: { readonly agent: string }) => {
  const query = new URLSearchParams({ of: agent, limit: "3" });
  const { total = 0, threads = [] } = useMoment<MessageThreads>(`/messages?${query}&`).value ?? {};
  return html`
    <${Panel} title="Messages">
      ${total === 0 && html`<p class="note">No messages yet.</p>`}
      ${threads.map((each) => html`<${Thread} key=${each.thread} of=${each} />`)}
      ${
        total > threads.length &&
        html`<p><${ViewLink} view="messages" item=${agent}>All ${countText(total, "thread")}<//></p>`
      }
    <//>
  `;
};

/** The newest moments of an agent. */
const AgentMoments = ({ agent }: { readonly agent: string }) => {
  const { address } = useView();
  const query = new URLSearchParams({ agent, order: "newest", limit: "8" });
  const { value } = useMoment<MomentPage>(`/moments?${query}&`);
  const { total = 0, rows = [] } = value ?? {};
  const all = { ...address, view: "moments", item: null, filter: { ...periodOf(address), agent } };
  return html`
    <${Panel} title="Moments">
      ${value !== null && total === 0 && html`<p class="note">None yet.</p>`}
      <ol class="items">
        ${rows.map(
          ({ seq, at_ms, name, prose, paid, received }) => html`<li key=${seq}>
            <p class="item-head">
              <span class="note"><${MomentLink} seq=${seq} atMs=${at_ms} /></span>
              <strong><${ViewLink} view="moments" item=${String(seq)}>${name}<//></strong>
              ${
                received !== paid &&
                html`<span class="note">${signedText(received - paid)} scrip</span>`
              }
            </p>
            <p><bdi>${proseText(prose)}</bdi></p>
          </li>`,
        )}
      </ol>
      ${total > rows.length && html`<p><${Link} to=${all}>All ${countText(total, "moment")}<//></p>`}
    <//>
  `;
};

/** The files of an agent's workspace. Nothing for agents without one. */
const Workspace = ({ files }: { readonly files: AgentView["workspace"] }) =>
  files !== null &&
  html`<${Panel} title="Workspace">
    ${files.length === 0 && html`<p class="note">It has no files yet.</p>`}
    ${files.map(
      ({ path, text }) => html`<${Fold} key=${path} title=${path}>
        <${Text} label=${path} text=${text} />
      <//>`,
    )}
  <//>`;

/** What an agent with tools and its model said, newest first. Nothing for other agents. */
const Conversation = ({ path }: PathParts) => {
  const { limit, more } = useLimit(10, 200);
  const { value, problem } = useMoment<ConversationView>(`${path}/conversation?limit=${limit}&`);
  if (value === null || value.total === 0) return null;
  const { total, lines } = value;
  return html`
    <${Panel} title="Conversation">
      <${Alert} problem=${problem} />
      <p class="note">
        ${lines.length === total ? "All" : `The latest ${lines.length} of`} ${numberText(total)}
        ${" "}entries of the conversation that its mind keeps
      </p>
      <ol class="items conversation">
        ${lines
          .map((line, at) => html`<${Said} key=${total - lines.length + at} line=${line} />`)
          .toReversed()}
      </ol>
      ${more(total > lines.length)}
    <//>
  `;
};

const SPEAKERS = { user: "the world", assistant: "the agent", tool: "tool" } as const;

const Said = ({ line }: { readonly line: SaidLine }) => {
  const { role, tool, is_error: isError, text, calls } = line;
  const speaker = tool === null ? SPEAKERS[role] : `${tool}${isError ? ", failed" : ""}`;
  return html`
    <li>
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

const Thoughts = ({ path }: PathParts) => {
  const { limit, more } = useLimit(10, 50);
  const asked = `${path}/thoughts?limit=${limit}&`;
  const { value, problem } = useMoment<{ thoughts: readonly ThoughtLine[] }>(asked);
  const thoughts = value?.thoughts ?? [];
  return html`
    <${Panel} title="Latest thoughts">
      <${Alert} problem=${problem} />
      ${value !== null && thoughts.length === 0 && html`<p class="note">None yet.</p>`}
      <ol class="items">
        ${thoughts.map((thought) => html`<${Thought} key=${thought.seq} thought=${thought} />`)}
      </ol>
      ${more(thoughts.length === limit)}
    <//>
  `;
};

const Thought = ({ thought }: { readonly thought: ThoughtLine }) => {
  const { seq, at_ms, kind, calls, outcome } = thought;
  const body = fieldsOf(thought.body);
  const isDone = kind === "thought_completed";
  const why = String(isDone ? (body.reasoning ?? "") : (body.message ?? body.reason ?? ""));
  return html`
    <li class="thought">
      <p class="item-head">
        <span class="note"><${MomentLink} seq=${seq} atMs=${at_ms} />
          ${" "}· event ${numberText(seq)}</span>
        <strong><bdi>${isDone ? actionText(body.action) : kind.replace("_", " ")}</bdi></strong>
      </p>
      ${why !== "" && html`<p><bdi>${why}</bdi></p>`}
      ${outcome !== null && html`<${Outcome} ...${outcome} />`}
      ${calls.map((call) => html`<${Call} key=${call.id} call=${call} />`)}
      ${isDone && html`<${Json} title="Decision" value=${body.action} />`}
    </li>
  `;
};

const Outcome = ({ kind, body }: { readonly kind: string; readonly body: unknown }) => {
  const { code, message } = fieldsOf(body);
  const isRefused = kind === "action_refused";
  const text = isRefused ? `${code}: ${message}` : String(message ?? "");
  return html`<p class=${isRefused ? "is-failed" : "note"}>
    ${isRefused ? "Refused: " : "Result: "}<bdi>${text}</bdi>
  </p>`;
};

/** One model call. The page requests prompt and reply when a user opens the call. */
const Call = ({ call }: { readonly call: CallLine }) => {
  const { path } = useView();
  const [isOpen, setOpen] = useState(false);
  const { value, problem } = useAnswer<CallText>(isOpen ? `${path}/calls/${call.id}` : null);
  const about = `${call.purpose} · ${call.model} · ${dollarText(call.cost_micros)}`;
  return html`
    <details class="fold call"
      onToggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) =>
        setOpen(currentTarget.open)}>
      <summary>Prompt and reply <span class="note"><bdi>${about}</bdi></span></summary>
      ${isOpen && value === null && html`<${Pending} problem=${problem} />`}
      ${
        value !== null &&
        html`
          <h3>System</h3><${Text} label="System prompt" text=${value.system} />
          <h3>Prompt</h3><${Text} label="Prompt" text=${value.prompt} />
          <h3>${value.ok ? "Reply" : "Fault"}</h3><${Text} label="Reply" text=${value.reply} />
          <p class="note">${numberText(value.input_tokens)} tokens in,
            ${" "}${numberText(value.output_tokens)} out,
            ${" "}${timeText(value.latency_ms)}</p>`
      }
    </details>
  `;
};

type TrailParts = PathParts & {
  /** The payment to explain, by its event. The panel opens there, and gets the focus. */
  readonly explained: { readonly seq: number } | null;
};

/** Shows where an agent's scrip comes from, and the thoughts behind the largest movements. */
const MoneyTrailPanel = (panel: TrailParts) => {
  const [isOpened, open] = useState(false);
  const { explained } = panel;
  return html`
    <${Panel} title="Where its scrip comes from">
      ${
        isOpened || explained !== null
          ? html`<${AskedTrail} key=${explained?.seq} ...${panel} />`
          : html`<button type="button" onClick=${() => open(true)}>Follow the money</button>`
      }
    <//>
  `;
};

const WAITING = "trail-waiting";
const stepId = (seq: number): string => `payment-${seq}`;

/** The trail with one payment, or the trail of the largest movements alone. */
const AskedTrail = ({ path, explained }: TrailParts) => {
  const payment = explained === null ? "" : `payment=${explained.seq}&`;
  const { value, problem } = useMoment<MoneyTrail>(`${path}/trail?limit=8&${payment}`);
  const isThere = value?.steps.some(({ seq }) => seq === explained?.seq) === true;
  useEffect(() => {
    if (explained === null) return;
    document.getElementById(isThere ? stepId(explained.seq) : WAITING)?.focus();
  }, [explained, isThere]);
  if (value !== null) return html`<${Trail} trail=${value} />`;
  // The trail of a long run takes seconds.
  return explained === null || problem !== null
    ? html`<${Pending} problem=${problem} />`
    : html`<p class="note" id=${WAITING} tabindex="-1" role="status">
        Looking for the thought behind the payment …</p>`;
};

const STREAMS: readonly Column<Stream>[] = [
  numberColumn("scrip", "amount", signedText),
  numberColumn("times", "times"),
  textColumn("what", ({ what }) => what),
  principalColumn("from or to", ({ other }) => other, "the world"),
  artifactColumn("for", ({ artifact }) => artifact),
];
const STREAMS_MAX = 12;

const Trail = ({ trail }: { readonly trail: MoneyTrail }) => {
  const rest = remainderOf(trail.streams, STREAMS_MAX);
  return html`
    <${Facts} facts=${[
      ["began with", numberText(trail.began_with)],
      ["received", numberText(trail.received)],
      ["spent", numberText(trail.spent)],
      ["has", numberText(trail.wealth)],
    ]} />
    <${Table} caption="Scrip received and given" columns=${STREAMS}
      rows=${trail.streams.slice(0, STREAMS_MAX)} />
    ${
      rest.streams > 0 &&
      html`<p class="note">
        ${numberText(rest.streams)} more, together ${signedText(rest.amount)} scrip</p>`
    }
    <h3>The largest movements, and why</h3>
    <ol class="items trail">
      ${trail.steps.map(
        ({ seq, at_ms, amount, other, what, because }) => html`
        <li key=${seq} id=${stepId(seq)} tabindex="-1">
          <p><strong>${signedText(amount)} scrip</strong>
            ${other !== null && ` ${amount > 0 ? "from" : "to"} ${other}`} (${what})
            ${" "}<${MomentLink} seq=${seq} atMs=${at_ms} /></p>
          <${Why} because=${because} />
        </li>`,
      )}
    </ol>
  `;
};

const Why = ({ because: { use, mint, mover, creation } }: { readonly because: Cause }) => html`
  ${
    use !== null &&
    html`<p class="because">${use.kind === "artifact_read" ? "a read of" : "a call of"}
      ${" "}<${ViewLink} view="artifacts" item=${use.artifact}>
        ${[use.artifact, use.method].filter(Boolean).join(".")}<//> by ${use.caller}</p>`
  }
  ${mint !== null && html`<p class="because">the mint: <bdi>${mint.says}</bdi></p>`}
  ${mover !== null && html`<${Action} explained=${mover} />`}
  ${
    creation !== null &&
    html`<${Fold} title=${`How ${creation.artifact} was made`}>
      <${Action} explained=${creation} />
    <//>`
  }
`;

type ActionParts = { readonly explained: ExplainedAction };

const Action = ({ explained: { action, moment, thought } }: ActionParts) => html`
  <p class="because">${action.principal} did
    ${" "}<bdi>${wordsText(action.action, action.target, action.method)}</bdi>
    ${" "}<${MomentLink} seq=${action.seq} atMs=${action.at_ms} />
    ${
      moment !== null &&
      html`, <${ViewLink} view="moments" item=${String(action.seq)}>${moment}<//>`
    }</p>
  ${
    thought !== null &&
    html`<p class="because">${thought.agent} thought:
        ${" "}<q><bdi>${thought.reasoning}</bdi></q></p>
      ${thought.memories.map(
        ({ number, text }) =>
          html`<p class="because is-memory" key=${number}>it remembered:
            ${" "}<bdi>${text}</bdi></p>`,
      )}
      ${thought.calls.map(
        (call) => html`<${Fold} key=${call.id}
          title=${`${call.model} · ${call.purpose} · ${dollarText(call.cost_micros)}`}>
          <${Text} label="Prompt" text=${call.prompt} />
          <${Text} label="Reply" text=${call.reply ?? call.fault ?? ""} />
        <//>`,
      )}`
  }
`;
