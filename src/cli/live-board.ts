import { decodeEvent } from "../kernel/index.ts";
import { agentLines, TallySheet } from "../observe/index.ts";
import type { SimulationRunner } from "../runner/index.ts";
import { isBookkeeping } from "../world/index.ts";
import type { Output } from "./output.ts";
import { printable } from "./printable.ts";

const DRAWN_EVERY_MS = 250;
const AGENTS_MAX = 20;
const DEED_CHARS = 48;

export type LiveBoard = { readonly end: () => void };

/**
 * While a run goes on, a table of who has what and did what last; only on a terminal. It is drawn
 * when a commit has made new events durable, from the state as it then is.
 */
export const liveBoard = (output: Output, runner: SimulationRunner): LiveBoard => {
  const sheet = new TallySheet();
  const startedAt = performance.now();
  let drawnAt = 0;
  const unfollow = runner.follow((rows) => {
    for (const row of rows) if (!isBookkeeping(row.kind)) sheet.count(decodeEvent(row));
    const now = performance.now();
    if (!output.isTerminal || now - drawnAt < DRAWN_EVERY_MS) return;
    drawnAt = now;
    output.redraw(boardOf(runner, sheet, now - startedAt));
  });
  return {
    end: () => {
      unfollow();
      output.redraw([]);
    },
  };
};

const boardOf = (
  runner: SimulationRunner,
  sheet: TallySheet,
  elapsedMs: number,
): readonly string[] => {
  const { state } = runner.world;
  const { actions, trades } = sheet.total();
  const rate = Math.round((actions.total * 1000) / Math.max(1, elapsedMs));
  const time = `${(runner.clock.now() / 1000).toFixed(1)} s`;
  const head = `${time}  ${actions.total} actions (${rate}/s)  ${trades.service} paid calls`;
  const rows = agentLines(state)
    .slice(0, AGENTS_MAX)
    .map(({ id, state: is, scrip }) => {
      const deed = [...state.agents.rows()].find((agent) => agent.id === id)?.last;
      const last = deed
        ? `${deed.ok ? "·" : "✗"} ${deed.action} ${printable(deed.target ?? "")}`
        : "";
      const name = id.slice(0, 16).padEnd(16);
      return `${name} ${is.padEnd(8)} ${String(scrip).padStart(7)}  ${last.slice(0, DEED_CHARS)}`;
    });
  return [head, ...rows];
};
