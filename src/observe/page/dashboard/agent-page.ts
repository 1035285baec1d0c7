import { html } from "htm/preact";
import type { AgentView } from "../../dashboard/index.ts";
import { useAnswer } from "./ask.ts";
import { mayOrder, useOrders } from "./controls.ts";
import { Memories } from "./memories.ts";
import { atQuery, versionOf } from "./moment.ts";
import {
  ArtifactLink,
  Badge,
  type Fact,
  Facts,
  Fold,
  Json,
  Panel,
  Principal,
  Problem,
  Text,
  Waiting,
} from "./parts.ts";
import { type Column, Table } from "./table.ts";
import { Thoughts } from "./thoughts.ts";
import { Trail } from "./trail.ts";
import type { ViewParts } from "./views.ts";
import { actionText, bytesText, dollarText, numberText, shown, timeText } from "./words.ts";

/** One agent: what it has, what it thinks, what it remembers and how it goes on. */
export const AgentPage = (parts: ViewParts) => {
  const { address, path } = parts;
  const name = encodeURIComponent(address.item ?? "");
  const asked = `${path}/agents/${name}`;
  const { value, problem } = useAnswer<AgentView>(`${asked}?${atQuery(address)}`, versionOf(parts));
  if (value === null) {
    return problem === null ? html`<${Waiting} />` : html`<${Problem} problem=${problem} />`;
  }
  return html`
    <div class="columns">
      <div>
        <${About} agent=${value} parts=${parts} />
        <${Trail} agent=${asked} parts=${parts} />
        <${Thoughts} path=${path} agent=${asked} parts=${parts} />
      </div>
      <div>
        <${Inside} agent=${value} />
        <${Memories} agent=${asked} parts=${parts} />
        <${Owned} agent=${value} parts=${parts} />
      </div>
    </div>
  `;
};

type OfAgent = { readonly agent: AgentView; readonly parts: ViewParts };

const About = ({ agent, parts }: OfAgent) => {
  const { said, give } = useOrders();
  const { id, state } = agent;
  const kind = state === "paused" ? "resume_agent" : "pause_agent";
  const can = mayOrder(parts.tick) && parts.address.at === null && state !== "stopped";
  return html`
    <${Panel} title=${shown(id)} class="about">
      <p class="standing">
        <${Badge} state=${agent.standing} /> <span><bdi>${shown(agent.reason)}</bdi></span>
      </p>
      ${
        can
          ? html`<p class="controls">
              <button type="button" onClick=${() => give({ kind, agent: id })}>
                ${kind === "resume_agent" ? "Resume this agent" : "Pause this agent"}
              </button>
              <span class="said" role="status">${shown(said)}</span>
            </p>`
          : null
      }
      <${Facts} facts=${factsOf(agent, parts)} />
    <//>
  `;
};

const factsOf = (agent: AgentView, parts: ViewParts): readonly Fact[] => {
  const { next, owner, parent } = agent;
  const agentLink = (id: string) => html`<${Principal} id=${id} parts=${parts} />`;
  return [
    ["wealth", `${numberText(agent.wealth)} scrip, free and held`],
    ["scrip", `${numberText(agent.scrip)} scrip`],
    ["held", `${numberText(agent.held)} scrip`],
    ["in own programs", `${numberText(agent.in_own_programs)} scrip`],
    ["model budget", dollarText(agent.llm_budget_micros)],
    ["spent on thinking", dollarText(agent.spent_micros)],
    ["disk", `${bytesText(agent.disk_used)} of ${bytesText(agent.disk_quota)}`],
    ["actions", `${numberText(agent.actions)}, ${numberText(agent.succeeded)} succeeded`],
    ["thoughts", `${numberText(agent.thoughts)}, ${numberText(agent.thoughts_failed)} failed`],
    [
      "next",
      next === null ? "nothing by itself" : `${next.step} at ${timeText(next.at_ms / 1_000)}`,
    ],
    ...(agent.pending === null ? [] : ([["about to", actionText(agent.pending)]] as const)),
    ...(owner === agent.id ? [] : ([["owner", agentLink(owner)]] as const)),
    ...(parent === null ? [] : ([["made by", agentLink(parent)]] as const)),
  ];
};

type Deed = AgentView["deeds"][number];

const DEEDS: readonly Column<Deed>[] = [
  { title: "at", isNumber: true, cell: ({ atMs }) => timeText(atMs / 1_000) },
  {
    title: "action",
    cell: ({ action, target, method }) => shown([action, target, method].filter(Boolean).join(" ")),
  },
  {
    title: "came to",
    cell: ({ ok, code, message }) => shown(ok ? message : `${code}: ${message}`),
  },
];

/** What its loop and its mind keep between two thoughts. */
const Inside = ({ agent }: { readonly agent: AgentView }) => html`
  <${Panel} title="Mind and workflow">
    <${Json} title="What its mind keeps (workflow or policy state)" value=${agent.mind}
      open=${true} />
    ${agent.sleep === null ? null : html`<${Json} title="Sleep" value=${agent.sleep} />`}
    <${Json} title="Windows of its resources" value=${agent.windows} />
    <${Fold} title="Latest deeds">
      <${Table} caption="Latest deeds" columns=${DEEDS} rows=${agent.deeds.toReversed()} />
    <//>
    <${Fold} title="Latest failures">
      <${Table} caption="Latest failures" columns=${DEEDS} rows=${agent.failures.toReversed()} />
    <//>
    <${Fold} title="Configuration">
      <${Text} label="Configuration" text=${agent.configuration} />
    <//>
    ${
      agent.memory_artifact === null
        ? null
        : html`<${Fold} title="Memory artifact">
            <${Text} label="Memory artifact" text=${agent.memory_artifact} />
          <//>`
    }
  <//>
`;

const Owned = ({ agent, parts }: OfAgent) => {
  const columns: readonly Column<AgentView["owns"][number]>[] = [
    {
      title: "artifact",
      cell: ({ id }) => html`<${ArtifactLink} id=${id} parts=${parts} />`,
    },
    { title: "type", cell: ({ type }) => shown(type) },
    { title: "price", isNumber: true, cell: ({ price }) => numberText(price) },
  ];
  return html`
    <${Panel} title="Owns">
      <${Table} caption="Artifacts that it owns" columns=${columns} rows=${agent.owns} />
    <//>
  `;
};
