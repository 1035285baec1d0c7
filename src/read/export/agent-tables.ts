import type { State } from "../../kernel/index.ts";
import type { INCOME_SOURCES } from "../../run/index.ts";
import { agentsIn, meansOf } from "../metrics/economy.ts";
import { agentStatus } from "../metrics/roster.ts";
import type { PrincipalMetrics } from "../metrics/run-metrics.ts";
import { type ExportTable, integer, orNull, type RowOf, real, text } from "./export-table.ts";

const MEANS = {
  scrip: integer("free scrip", "scrip"),
  held: integer("scrip set aside for bids and calls", "scrip"),
  wealth: integer("`scrip` + `held`", "scrip"),
  llm_budget_micros: integer("what is left of its model budget", "micro-dollars"),
  disk_used_bytes: integer("disk in use", "bytes"),
  disk_quota_bytes: integer("disk that it may use", "bytes"),
};

const meansIn = (state: State, id: Parameters<typeof meansOf>[1]): RowOf<typeof MEANS> => {
  const { scrip, held, llm_budget_micros, disk_used, disk_quota } = meansOf(state, id);
  const disk = { disk_used_bytes: disk_used, disk_quota_bytes: disk_quota };
  return { scrip, held, wealth: scrip + held, llm_budget_micros, ...disk };
};

const income = (what: string) => integer(`income from ${what}`, "scrip");

const INCOME = {
  income_services: income("paid calls"),
  income_reads: income("paid reads"),
  income_fees: income("fees of access contracts"),
  income_mint: income("scores at auctions"),
  income_proceeds: income("shares of prices paid to the world"),
  income_tasks: income("tasks"),
  income_sales: income("sales through the escrow, minus scrip given to the escrow"),
  income_credit: income("the debt contract, minus scrip given to it"),
  income_other: income("other transfers"),
} satisfies { readonly [S in `income_${(typeof INCOME_SOURCES)[number]}`]: unknown };

const incomeOf = ({ income }: PrincipalMetrics): RowOf<typeof INCOME> => ({
  income_services: income.services,
  income_reads: income.reads,
  income_fees: income.fees,
  income_mint: income.mint,
  income_proceeds: income.proceeds,
  income_tasks: income.tasks,
  income_sales: income.sales,
  income_credit: income.credit,
  income_other: income.other,
});

const AGENT_COLUMNS = {
  agent: text("id of the agent"),
  group: orNull(text("its group, from `agent.yaml` or its parent")),
  parent: orNull(text("the agent that spawned it; null for the agents of the start")),
  owner: text("its owner; an agent that no one owns is its own owner"),
  state: text("`running`, `sleeping`, `frozen`, `paused`, `stopped` or `bankrupt`"),
  reason: text("why it is in this state, or since when it runs"),
  ...MEANS,
  in_own_programs: integer("scrip of the programs that it owns", "scrip"),
  began_with: integer("scrip when its account was opened, or at the fork", "scrip"),
  received: integer("scrip received", "scrip"),
  given: integer("scrip given; `began_with` + `received` - `given` = `wealth`", "scrip"),
  earned: integer("income from all sources", "scrip"),
  ...INCOME,
  revenue: integer("income from services, reads, fees and sales", "scrip"),
  paid: integer("its payments to others", "scrip"),
  burned: integer("its fees that were burned", "scrip"),
  specialisation: orNull(real("1 if all income has one source; null without income", "share")),
  actions: integer("actions", "actions"),
  succeeded: integer("actions that were not refused", "actions"),
  thoughts: integer("thoughts", "thoughts"),
  cost_micros: integer("what its thoughts cost", "micro-dollars"),
  api_cost_micros: integer("the part owed to model providers", "micro-dollars"),
  frozen_share: real("time frozen, as a share of the time not stopped", "share"),
};

export const AGENTS: ExportTable<typeof AGENT_COLUMNS> = {
  name: "agents",
  says: "an agent at the end, with its figures since counting started ([report](report.md))",
  columns: AGENT_COLUMNS,
  open: ({ metrics }) => ({
    end: (state) => {
      const known = new Map(metrics.principals.map((principal) => [principal.id, principal]));
      return agentsIn(state).flatMap((agent) => {
        const { id, reason } = agent;
        const principal = known.get(id);
        if (principal === undefined) return [];
        const { agent: _agent, received_by, given_by, income: _income, ...totals } = principal;
        return [
          {
            agent: id,
            parent: state.accounts.get(id)?.parent ?? null,
            owner: state.artifacts.get(id)?.owner ?? id,
            reason,
            ...totals,
            ...meansIn(state, id),
            ...incomeOf(principal),
            state: agentStatus(agent),
          },
        ];
      });
    },
  }),
};

const MOMENT_COLUMNS = {
  at_ms: integer("run time; all events up to this time are included", "ms"),
  agent: text("id of the agent"),
  group: orNull(text("its group")),
  state: text("as in `agents`"),
  ...MEANS,
  actions: integer("actions since its creation", "actions"),
  thoughts: integer("thoughts since its creation", "thoughts"),
};

type MomentRow = RowOf<typeof MOMENT_COLUMNS>;

const rowsAt = (atMs: number, state: State): readonly MomentRow[] =>
  agentsIn(state).map((agent) => ({
    at_ms: atMs,
    agent: agent.id,
    group: agent.group,
    state: agentStatus(agent),
    ...meansIn(state, agent.id),
    actions: agent.counters.actions,
    thoughts: agent.counters.thoughts,
  }));

export const AGENTS_OVER_TIME: ExportTable<typeof MOMENT_COLUMNS> = {
  name: "agents_over_time",
  says: "an agent at one moment; the moments are those of `timeline`, or every `--every`",
  columns: MOMENT_COLUMNS,
  open: ({ moments }) => {
    let next = 0;
    const upTo = (atMs: number, state: State): readonly MomentRow[] => {
      const from = next;
      while ((moments[next] ?? Number.POSITIVE_INFINITY) < atMs) next += 1;
      return moments.slice(from, next).flatMap((moment) => rowsAt(moment, state));
    };
    return {
      rowsOf: ({ row, state }) => upTo(row.atMs, state),
      end: (state) => upTo(Number.POSITIVE_INFINITY, state),
    };
  },
};
