import { RESOURCES, type View } from "../../../kernel/index.ts";
import { seconds, usd } from "../../units.ts";
import type { PromptSource } from "../prompt.ts";
import type { Section } from "../section.ts";

export const time: Section = {
  name: "time",
  title: "Time",
  priority: 95,
  tokensMax: 60,
  keeps: "start",
  foreign: false,
  lines: ({ view }) => {
    const left = Math.max(0, view.horizonMs - view.now);
    const share = view.horizonMs === 0 ? 100 : Math.floor((view.now / view.horizonMs) * 100);
    const newest = view.events.at(-1)?.n ?? 0;
    const passed = `${seconds(view.now)} of ${seconds(view.horizonMs)}`;
    return [
      `${passed} have passed (${share} %); ${seconds(left)} are left.`,
      `The newest public event is number ${newest}.`,
    ];
  },
};

export const balances: Section = {
  name: "balances",
  title: "What you have",
  priority: 94,
  tokensMax: 120,
  keeps: "start",
  foreign: false,
  lines: ({ view }) => {
    const { account } = view;
    const held = account.held > 0 ? `, and ${account.held} more set aside (bids, rewards)` : "";
    return [
      `Scrip: ${account.scrip} to spend${held}.`,
      `Budget for thinking: ${usd(account.llmBudgetMicros)} of model money.`,
      ...belongings(view),
    ];
  },
};

const belongings = (view: View): readonly string[] => {
  const { children, family } = view;
  const lines = family.parent === null ? [] : [`You were spawned by ${family.parent}.`];
  for (const { id, state, scrip } of children) {
    lines.push(`The agent ${id} is yours: ${state}, ${scrip} scrip.`);
  }
  return lines;
};

export const quotas: Section = {
  name: "quotas",
  title: "What is left of your rolling windows",
  priority: 55,
  tokensMax: 120,
  keeps: "start",
  foreign: false,
  lines: ({ view, settings }) =>
    settings.detail_level === "minimal"
      ? [`actions: ${view.windows.actions.available} of ${view.windows.actions.quota}`]
      : RESOURCES.map((name) => {
          const { available, quota } = view.windows[name];
          return `${name}: ${available} of ${quota}`;
        }),
};

export const resources: Section = {
  name: "resources",
  title: "Disk and how fast you spend",
  priority: 50,
  tokensMax: 120,
  keeps: "start",
  foreign: false,
  lines: (source) => {
    const { account, diskLeft } = source.view;
    const disk = `Disk: ${diskLeft} bytes free of ${account.diskQuota}.`;
    return source.settings.detail_level === "minimal" ? [disk] : [disk, ...spending(source)];
  },
};

/** What thinking has cost on the average, and how long the rest lasts at that rate. */
const spending = ({ view }: PromptSource): readonly string[] => {
  const { thoughts, thoughtsFailed, actions, succeeded } = view.agent.counters;
  const record = `You have acted ${actions} times, ${succeeded} of them with success.`;
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
