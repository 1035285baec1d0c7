import { RESOURCES, type View } from "../../kernel/index.ts";
import { seconds, usd } from "../../model/index.ts";
import { type PromptSource, section } from "./prompt.ts";

const family = (view: View): readonly string[] => {
  const { parent } = view.family;
  const lines = parent === null ? [] : [`You were spawned by ${parent}.`];
  for (const { id, state, lacks, scrip } of view.children) {
    const why = state === "frozen" && lacks !== null ? ` (it lacks ${lacks})` : "";
    lines.push(`The agent ${id} is yours: ${state}${why}, ${scrip} scrip.`);
  }
  return lines;
};

const spending = ({ view }: PromptSource): readonly string[] => {
  const { thoughts, thoughtsFailed, actions, succeeded } = view.agent.counters;
  const record = `You have taken ${actions} actions; ${succeeded} succeeded.`;
  const spent = view.agent.counters.spentMicros;
  if (thoughts + thoughtsFailed === 0 || spent === 0 || view.now === 0) return [record];
  const perMinute = Math.round((spent * 60_000) / view.now);
  const lastsMs = (view.account.llmBudgetMicros * view.now) / spent;
  return [
    record,
    `Thinking has cost ${usd(spent)} so far, ${usd(perMinute)} a minute.`,
    `At that rate your budget lasts ${seconds(lastsMs)}.`,
  ];
};

const HINTED_THOUGHTS = 3;

const FIRST_STEPS = [
  "The handbook is a set of artifacts, free to read. handbook_toc lists its pages; start with",
  'handbook_trading: {"read_artifact": {"artifact_id": "handbook_trading"}}.',
  "Give programs an interface with examples, so that others can call them: handbook_actions.",
  "The genesis_* artifacts are services for all (ledger, escrow, mint, store): handbook_genesis.",
];

export const agentSections = {
  time: section({ title: "Time", priority: 95, tokensMax: 60 }, ({ view }) => {
    const left = Math.max(0, view.horizonMs - view.now);
    const share = view.horizonMs === 0 ? 100 : Math.floor((view.now / view.horizonMs) * 100);
    const newest = view.events.at(-1)?.n;
    const passed = `${seconds(view.now)} of ${seconds(view.horizonMs)}`;
    const time = `${passed} have passed (${share} %); ${seconds(left)} remain.`;
    return newest === undefined ? [time] : [time, `The newest public event is number ${newest}.`];
  }),
  balances: section({ title: "What you have", priority: 94, tokensMax: 120 }, ({ view }) => {
    const { account } = view;
    const held = account.held > 0 ? `, and ${account.held} more reserved (bids, rewards)` : "";
    return [
      `Scrip: ${account.scrip} to spend${held}.`,
      `Budget for thinking: ${usd(account.llmBudgetMicros)} of model money.`,
    ];
  }),
  family: section(
    { title: "Your family", priority: 85, tokensMax: 150, foreign: true },
    ({ view }) => family(view),
  ),
  quotas: section(
    { title: "Your remaining quotas", priority: 84, tokensMax: 120 },
    ({ view, settings }) =>
      settings.detail_level === "minimal"
        ? [`actions: ${view.windows.actions.available} of ${view.windows.actions.quota}`]
        : RESOURCES.map((name) => {
            const { available, quota } = view.windows[name];
            return `${name}: ${available} of ${quota}`;
          }),
  ),
  resources: section({ title: "Disk and spending", priority: 80, tokensMax: 120 }, (source) => {
    const { account, diskLeft } = source.view;
    const disk = `Disk: ${diskLeft} bytes free of ${account.diskQuota}.`;
    return source.settings.detail_level === "minimal" ? [disk] : [disk, ...spending(source)];
  }),
  hints: section({ title: "First steps", priority: 30, tokensMax: 200 }, ({ view: { agent } }) =>
    agent.counters.thoughts >= HINTED_THOUGHTS ? [] : FIRST_STEPS,
  ),
};
