import {
  ActivityCounter,
  type AgentStatus,
  agentStatus,
  agentsIn,
  economyOf,
  LogEntry,
  wealthIn,
} from "../../figures/index.ts";
import { type Agent, type Event, isReserved } from "../../kernel/index.ts";
import { type Launch, type TradeKind, tradeIn } from "../../run/index.ts";
import { counted } from "../../text/index.ts";
import type { JournalRow } from "../../world/index.ts";
import type { Output } from "../core/output.ts";
import {
  type Cell,
  cutText,
  type Painted,
  type TableRow,
  type TextLine,
  tableLines,
} from "../core/table.ts";

const DRAWN_EVERY_MS = 250;
/** Draws at this interval even if nothing happens, because the remaining time changes. */
const DRAWN_AT_LEAST_EVERY_MS = 1_000;
const AGENTS_MAX = 20;
const TRADES_MAX = 5;
const BAR_WIDTH_MAX = 30;

type Display = {
  readonly launch: Launch;
  readonly counter: ActivityCounter;
  readonly trades: readonly TableRow[];
  readonly startedAtMs: number;
  /** The number of actions before this process started. */
  readonly actionsBefore: number;
};

/** Draws the progress, the agents and the latest trades until the returned function is called. */
export const showProgress = (output: Output, launch: Launch): (() => void) => {
  if (!output.isTerminal) return () => {};
  const { runner } = launch;
  const counter = new ActivityCounter();
  const trades: TableRow[] = [];
  const count = (rows: Iterable<JournalRow>): void => {
    for (const row of rows) {
      const { event } = new LogEntry(row);
      if (event === null) continue;
      counter.count(event);
      const kind = tradeIn(event);
      if (kind !== null) trades.push(tradeRow(event, kind));
    }
    trades.splice(0, trades.length - TRADES_MAX);
  };
  // Counts the events before a resume, as the final report does.
  count(runner.journal.events());
  const actionsBefore = counter.total().actions.total;
  const display = { launch, counter, trades, startedAtMs: performance.now(), actionsBefore };
  let drawnAt = Number.NEGATIVE_INFINITY;
  const draw = (): void => {
    drawnAt = performance.now();
    output.redraw((size) => displayLines(display, size));
  };
  draw();
  const timer = setInterval(draw, DRAWN_AT_LEAST_EVERY_MS).unref();
  const unfollow = runner.follow((rows) => {
    count(rows);
    if (performance.now() - drawnAt >= DRAWN_EVERY_MS) draw();
  });
  return () => {
    clearInterval(timer);
    unfollow();
    draw();
    output.redraw(() => []);
  };
};

type Size = { readonly columns: number; readonly rows: number };

const displayLines = (display: Display, { columns: width, rows }: Size): readonly TextLine[] => {
  const { launch, trades } = display;
  const agents = agentsIn(launch.runner.world.state);
  const top = [headLine(launch), progressLine(display, width), [figuresText(display)], [""]];
  const latest = trades.length === 0 ? [] : [[""], ...table(TRADE_HEAD, trades, width)];
  // The table of agents has a line of names, and a line below it names the number of other agents.
  const room = Math.max(1, Math.min(AGENTS_MAX, rows - top.length - latest.length - 2));
  const shown = agents.slice(0, room).map((agent) => agentRow(launch, agent));
  const hidden = agents.length - shown.length;
  const more = hidden === 0 ? [] : [[`${counted(hidden, "more agent")}`]];
  const all = [...top, ...table(AGENT_HEAD, shown, width), ...more, ...latest];
  return all.map((line) => cutLine(line, width));
};

const table = (
  head: readonly string[],
  rows: readonly TableRow[],
  width: number,
): readonly TextLine[] => tableLines({ head, rows, width, wraps: false });

const headLine = ({ directory, clock, seed }: Launch): TextLine => [
  { style: "bold", text: `run ${directory.runId}` },
  `, ${clock} clock, seed ${seed}`,
];

const progressLine = ({ launch, startedAtMs }: Display, width: number): TextLine => {
  const { runner, clock } = launch;
  const { fromMs, stopAtMs } = runner.span;
  const nowMs = Math.min(runner.clock.now(), stopAtMs);
  const share = stopAtMs > fromMs ? (nowMs - fromMs) / (stopAtMs - fromMs) : 1;
  const elapsedMs = performance.now() - startedAtMs;
  const leftMs = clock === "wall" ? stopAtMs - nowMs : (elapsedMs * (1 - share)) / share;
  const left = Number.isFinite(leftMs) ? `, ${durationText(leftMs)} left` : "";
  const text = `${secondsText(nowMs)} of ${secondsText(stopAtMs)} s`;
  const after = ` ${Math.floor(share * 100)} %${left}`;
  const bar = Math.max(0, Math.min(BAR_WIDTH_MAX, width - text.length - after.length - 2));
  const full = Math.round(bar * share);
  const done: Painted = { style: "green", text: "█".repeat(full) };
  return [text, "  ", done, `${"░".repeat(bar - full)}${after}`];
};

const secondsText = (ms: number): string => String(Math.floor(ms / 1_000));

const durationText = (ms: number): string => {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
};

const figuresText = ({ launch, counter, startedAtMs, actionsBefore }: Display): string => {
  const activity = counter.total();
  const { actions, thinking } = activity;
  const { trades, scrip_total, gini } = economyOf(launch.runner.world.state, activity);
  const elapsedMs = Math.max(1, performance.now() - startedAtMs);
  const perS = Math.round(((actions.total - actionsBefore) * 1_000) / elapsedMs);
  const cost = thinking.cost_usd === 0 ? "" : `, ${thinking.cost_usd.toFixed(4)} USD to providers`;
  const economy = `${counted(trades, "trade")}, ${scrip_total} scrip, Gini ${gini.toFixed(2)}`;
  return `${counted(actions.total, "action")} (${perS}/s), ${economy}${cost}`;
};

const AGENT_HEAD = ["agent", "state", "scrip", "actions", "last action"];

const agentRow = ({ runner }: Launch, agent: Agent): TableRow => {
  const { id, counters, last } = agent;
  const status = agentStatus(agent);
  const state: Cell = { style: STYLES[status], text: status };
  const action: Cell = last === null ? "" : lastAction(last);
  return [id, state, wealthIn(runner.world.state, id), counters.actions, action];
};

const STYLES: { readonly [S in AgentStatus]: Painted["style"] } = {
  running: "green",
  sleeping: "cyan",
  frozen: "yellow",
  paused: "yellow",
  in_review: "yellow",
  stopped: "reset",
  bankrupt: "red",
};

/** Leaves out a target that is part of genesis, because most actions use one. */
const lastAction = ({ action, target, ok }: NonNullable<Agent["last"]>): Cell => {
  const whose = target === null || isReserved(target) ? "" : ` ${target}`;
  return ok ? `${action}${whose}` : { style: "red", text: `${action}${whose} refused` };
};

const TRADE_HEAD = ["at (s)", "trade", "buyer", "artifact", "scrip"];

const tradeRow = (event: Event, kind: TradeKind): TableRow => {
  const at = (event.at_ms / 1_000).toFixed(1);
  switch (event.kind) {
    case "artifact_invoked":
      // A broker does not take the price of a trade itself.
      return [
        at,
        kind,
        event.caller,
        event.artifact_id,
        event.paid_to === null ? "-" : event.price,
      ];
    case "artifact_read":
      return [at, kind, event.by, event.artifact_id, event.price];
    case "task_solved":
      return [at, kind, event.solver, event.artifact_id, event.reward];
    default:
      return [at, kind, event.principal ?? "-", "-", "-"];
  }
};

const cutLine = (line: TextLine, width: number): TextLine => {
  let left = width;
  return line.map((part) => {
    const text = cutText(typeof part === "string" ? part : part.text, left);
    left = Math.max(0, left - text.length);
    return typeof part === "string" ? text : { ...part, text };
  });
};
