import { ActivityCounter, agentsIn } from "../../observe/index.ts";
import type { SimulationRunner } from "../../runner/index.ts";
import { decodeEvent, isRunEvent, type JournalRow } from "../../world/index.ts";
import type { Output } from "./output.ts";

const DRAWN_EVERY_MS = 250;
const AGENTS_MAX = 20;
const ACTION_CHARS = 48;

/** Draws the agents and their latest actions until the returned function is called. */
export const liveBoard = (output: Output, runner: SimulationRunner): (() => void) => {
  if (!output.isTerminal) return () => {};
  const counter = new ActivityCounter();
  const count = (rows: Iterable<JournalRow>): void => {
    for (const row of rows) if (!isRunEvent(row.kind)) counter.count(decodeEvent(row));
  };
  // Counts the events before a resume, as the final report does.
  count(runner.journal.events());
  const before = { atMs: performance.now(), actions: counter.total().actions.total };
  let drawnAt = 0;
  const unfollow = runner.follow((rows) => {
    count(rows);
    const now = performance.now();
    if (now - drawnAt < DRAWN_EVERY_MS) return;
    drawnAt = now;
    const done = counter.total().actions.total - before.actions;
    const perS = Math.round((done * 1_000) / Math.max(1, now - before.atMs));
    output.redraw(boardOf(runner, counter, perS));
  });
  return () => {
    unfollow();
    output.redraw([]);
  };
};

const boardOf = (
  runner: SimulationRunner,
  counter: ActivityCounter,
  perS: number,
): readonly string[] => {
  const { state } = runner.world;
  const { actions, trades } = counter.total();
  const time = `${(runner.clock.now() / 1000).toFixed(1)} s`;
  const head = `${time}  ${actions.total} actions (${perS}/s)  ${trades.service} paid calls`;
  const rows = agentsIn(state)
    .slice(0, AGENTS_MAX)
    .map(({ id, state: is, last: action }) => {
      const scrip = state.accounts.get(id)?.scrip ?? 0;
      const last = action ? `${action.ok ? "·" : "✗"} ${action.action} ${action.target ?? ""}` : "";
      const name = id.slice(0, 16).padEnd(16);
      return `${name} ${is.padEnd(8)} ${String(scrip).padStart(7)}  ${last.slice(0, ACTION_CHARS)}`;
    });
  return [head, ...rows];
};
