import { agentStatus, agentsIn, meansOf } from "../../figures/index.ts";
import type { State } from "../../kernel/index.ts";
import type { IncomeSource } from "../../run/index.ts";
import { integer, orNull, type RowOf, real, tableOf, text } from "./export-table.ts";

const MEANS = {
  scrip: integer("free scrip", "scrip"),
  held: integer("scrip set aside for bids and calls", "scrip"),
  wealth: integer("`scrip` + `held`", "scrip"),
  llm_budget_micros: integer("what is left of its model budget", "micro-dollars"),
  disk_used_bytes: integer("disk in use", "bytes"),
  disk_quota_bytes: integer("disk that it may use", "bytes"),
};

const meansIn = (state: State, id: Parameters<typeof meansOf>[1]) => {
  const means = meansOf(state, id);
  const { scrip, held, disk_used: disk_used_bytes, disk_quota: disk_quota_bytes } = means;
  return { ...means, wealth: scrip + held, disk_used_bytes, disk_quota_bytes };
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
} satisfies { readonly [S in `income_${IncomeSource}`]: unknown };

const incomeIn = (sums: { readonly [S in IncomeSource]: number }) =>
  Object.fromEntries(
    Object.entries(sums).map(([source, sum]) => [`income_${source}`, sum]),
  ) as RowOf<typeof INCOME>;

export const AGENTS = tableOf(
  "agents",
  "an agent at the end, with its figures since counting started ([report](report.md))",
  {
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
  },
  ({ metrics }) => ({
    end: (state) => {
      const known = new Map(metrics.principals.map((principal) => [principal.id, principal]));
      return agentsIn(state).flatMap((agent) => {
        const { id, reason } = agent;
        const principal = known.get(id);
        if (principal === undefined) return [];
        const { received_by: _, given_by: __, income: sums, ...figures } = principal;
        return [
          {
            ...figures,
            agent: id,
            parent: state.accounts.get(id)?.parent ?? null,
            owner: state.artifacts.get(id)?.owner ?? id,
            state: agentStatus(agent),
            reason,
            ...meansIn(state, id),
            ...incomeIn(sums),
          },
        ];
      });
    },
  }),
);

const MOMENT_COLUMNS = {
  at_ms: integer("run time; all events up to this time are included", "ms"),
  agent: text("id of the agent"),
  group: orNull(text("its group")),
  state: text("as in `agents`"),
  ...MEANS,
  actions: integer("actions since its creation", "actions"),
  thoughts: integer("thoughts since its creation", "thoughts"),
};

export const AGENTS_OVER_TIME = tableOf(
  "agents_over_time",
  "an agent at one moment; the moments are those of `timeline`, or every `--every`",
  MOMENT_COLUMNS,
  ({ moments }) => {
    const rowsAt = (at_ms: number, state: State): readonly RowOf<typeof MOMENT_COLUMNS>[] =>
      agentsIn(state).map((agent) => {
        const { id, group, counters } = agent;
        const about = { at_ms, agent: id, group, state: agentStatus(agent) };
        const { actions, thoughts } = counters;
        return { ...about, ...meansIn(state, id), actions, thoughts };
      });
    let next = 0;
    const upTo = (atMs: number, state: State) => {
      const from = next;
      while ((moments[next] ?? Number.POSITIVE_INFINITY) < atMs) next += 1;
      return moments.slice(from, next).flatMap((moment) => rowsAt(moment, state));
    };
    return {
      rowsOf: ({ row, state }) => upTo(row.atMs, state),
      end: (state) => upTo(Number.POSITIVE_INFINITY, state),
    };
  },
);
