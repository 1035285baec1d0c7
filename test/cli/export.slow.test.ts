/** The tables of `sim export`, read by DuckDB, against the figures of `sim report --json`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/figures/index.ts";
import { SHIPPED } from "../../src/run/index.ts";
import { type Duck, openDuck } from "../support/duckdb.ts";
import { writePersonas } from "../support/model-run.ts";
import { faults } from "../support/model-server/faults.ts";
import { startModelServer } from "../support/model-server/model-server.ts";
import { emptyFolder, jsonOf, setFlags, sim, startSim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const folder = emptyFolder();
const NOOP = JSON.stringify({ thought_process: 'Nothing\r\nto "do", now.', action: { noop: {} } });
let duck: Duck;
let report: Report;
let printed: { readonly dir: string; readonly tables: { readonly [name: string]: number } };

/** One agent that asks a model among those of the shipped population, who have little budget. */
beforeAll(async () => {
  const server = await startModelServer(({ n }) => (n === 2 ? faults.notFound() : { text: NOOP }));
  writePersonas(join(folder, "own"), {
    ann: { mind: "llm", llm_model: "openai-compatible/gpt-5-mini", group: "models" },
  });
  const sets = setFlags(
    `llm.providers.openai-compatible.base_url=${server.baseUrl("openai-compatible")}`,
    "llm.pricing.gpt-5-mini={input: 10, output: 100}",
    "memory.backend=none",
    "resources.stock.llm_budget_usd=0.25",
    "agent.loop.bankrupt_after_s=30",
  );
  const agents = ["--agents", "own", "--agents", SHIPPED.agents];
  const virtual = ["--name", "r", "--clock", "virtual", "--duration", "120", "--quiet"];
  const { code } = await startSim(folder, "run", ...virtual, ...agents, ...sets).ended;
  const fork = ["fork", "r", "--at", "60s", "--name", "f", "--quiet"];
  const forked = await startSim(folder, ...fork).ended;
  await server.close();
  expect([code, forked.code]).toEqual([0, 0]);
  report = jsonOf(folder, "report", "r");
  printed = jsonOf(folder, "export", "r");
  duck = await openDuck();
});
afterAll(() => duck.close());

const file = (table: string, format = "parquet"): string =>
  `'${join(folder, format === "parquet" ? "exports/r" : format, `${table}.${format}`)}'`;

const sums = (table: string, columns: string, where = "true") =>
  duck.row(`SELECT ${columns} FROM ${file(table)} WHERE ${where}`);

describe("the Parquet files of an export", () => {
  it("have the printed numbers of rows", async () => {
    expect(printed.dir).toBe("exports/r");
    const files = readdirSync(join(folder, "exports", "r")).toSorted();
    expect(files).toEqual(
      Object.keys(printed.tables)
        .map((name) => `${name}.parquet`)
        .toSorted(),
    );
    expect(printed.tables.events).toBe(report.metrics.events);
    for (const [table, rows] of Object.entries(printed.tables)) {
      expect([table, (await sums(table, "count(*) AS n")).n]).toEqual([table, rows]);
    }
  });

  it("have the trades and the payments of the report", async () => {
    const { trades, money, revenue } = report.metrics;
    const kinds = await duck.rows(
      `SELECT trade, count(*) AS n, count(seller) AS sellers FROM ${file("trades")} GROUP BY trade`,
    );
    expect(kinds.length).toBeGreaterThan(2);
    for (const { trade, n, sellers } of kinds) {
      expect([trade, n]).toEqual([
        trade,
        new Map(Object.entries(trades.by_kind)).get(String(trade)),
      ]);
      expect([trade, sellers]).toEqual([trade, n]);
    }
    expect(await sums("trades", "count(*) AS n")).toEqual({ n: trades.total });
    expect(await sums("payments", "count(*) AS n, sum(amount) AS scrip")).toEqual({
      n: money.payments,
      scrip: money.turnover,
    });
    const services = await sums("trades", "sum(price) AS scrip", "trade = 'service'");
    expect(services).toEqual({ scrip: revenue.by_source.services });
  });

  it("name the same parties in a trade and in its payment", async () => {
    const unmatched = await duck.rows(`
      SELECT t.* FROM ${file("trades")} t
      WHERE trade IN ('service', 'read', 'sale') AND NOT EXISTS (
        SELECT * FROM ${file("payments")} p WHERE p.at_ms = t.at_ms AND p.payer = t.buyer
          AND p.payee = t.seller AND p.amount = t.price)`);
    expect(unmatched).toEqual([]);
  });

  it("have the model calls of the report", async () => {
    const { model_calls: calls } = report;
    expect(calls?.failures).toBe(1);
    expect(
      await sums(
        "model_calls",
        `count(*) AS calls, count(*) FILTER (NOT succeeded) AS failures,
         sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
         sum(cost_micros) / 1e6 AS cost_usd, max(agent) AS agent`,
      ),
    ).toEqual({
      calls: calls?.calls,
      failures: calls?.failures,
      input_tokens: calls?.input_tokens,
      output_tokens: calls?.output_tokens,
      cost_usd: expect.closeTo(calls?.cost_usd ?? 0, 9),
      agent: "ann",
    });
    const [fault] = await duck.rows(
      `SELECT fault FROM ${file("model_calls")} WHERE fault IS NOT NULL`,
    );
    expect(fault?.fault).toBe(calls?.by_fault[0]?.fault);
  });

  it("have the actions, thoughts and calls of the report", async () => {
    const { work, capital } = report.metrics;
    expect(
      await sums("actions", "count(*) AS actions, count(*) FILTER (succeeded) AS succeeded"),
    ).toEqual({ actions: work.actions, succeeded: work.succeeded });
    expect(
      await sums(
        "thoughts",
        `count(*) AS thoughts, count(*) FILTER (outcome = 'failed') AS thoughts_failed,
         sum(cost_micros) AS cost_micros, sum(api_cost_micros) AS api_cost_micros`,
      ),
    ).toEqual({
      thoughts: work.thoughts,
      thoughts_failed: work.thoughts_failed,
      cost_micros: work.cost_micros,
      api_cost_micros: work.api_cost_micros,
    });
    const calls = await sums(
      "artifacts",
      "sum(calls) AS n, sum(calls_by_others) AS others",
      "NOT is_genesis",
    );
    expect(calls).toEqual({ n: capital.calls, others: capital.calls_by_others });
    const events = await duck.row(
      `SELECT count(*) AS n FROM ${file("calls")} c JOIN ${file("artifacts")} a USING (artifact_id)
       WHERE c.succeeded AND NOT a.is_genesis`,
    );
    expect(events.n).toBe(capital.calls);
    const deleted = await sums("artifacts", "count(deleted_at_ms) AS n");
    const created = await sums("artifact_versions", "count(*) AS n", "created");
    expect(created.n).toBe(report.economy.artifacts + Number(deleted.n));
  });

  it("have the sales of model budget and the auctions of the report", async () => {
    const { compute, money } = report.metrics;
    expect(compute.sold).toBeGreaterThan(0);
    expect(await sums("compute_sales", "count(*) AS sales, sum(lots_offered) AS offered")).toEqual({
      sales: compute.sales,
      offered: compute.offered,
    });
    expect(
      await sums(
        "compute_issued",
        "sum(lots) AS sold, sum(paid) AS paid, sum(budget_micros) AS micros",
      ),
    ).toEqual({ sold: compute.sold, paid: compute.paid, micros: compute.issued_micros });
    const bids = await sums(
      "auction_bids",
      "sum(minted) AS minted, sum(price) AS paid, count(*) AS n",
    );
    expect(bids.n).toBeGreaterThan(2);
    expect([bids.minted ?? 0, bids.paid]).toEqual([
      money.minted_by.mint ?? 0,
      money.proceeds.collected_by.mint,
    ]);
    const resolved = sim(folder, "events", "r", "--kind", "auction_resolved", "--json").out;
    expect(printed.tables.auctions).toBe(resolved.trim().split("\n").length);
  });

  it("have each agent of the report, and the figures of the run", async () => {
    const rows = await duck.rows(`SELECT * FROM ${file("agents")}`);
    expect(rows.map(({ agent }) => agent)).toEqual(report.agents.map(({ id }) => id));
    for (const [at, agent] of report.agents.entries()) {
      const { scrip, held, wealth, llm_budget_micros, earned, paid, actions } = agent;
      const told = { scrip, held, wealth, llm_budget_micros, earned, paid, actions };
      expect(rows[at]).toMatchObject({ ...told, income_services: agent.income.services });
    }
    expect(rows.find(({ agent }) => agent === "ann")).toMatchObject({ group: "models" });
    const supply = await sums("figures", "value", "figure = 'metrics.money.supply'");
    expect(supply.value).toBe(report.metrics.money.supply);
  });

  it("have a reason that fits the last change of each agent", async () => {
    const lines = sim(folder, "events", "r", "--json").out.trimEnd().split("\n");
    const reasons = new Map<string, string>();
    for (const { kind, principal, agent, id, reason } of lines.map((line) => JSON.parse(line))) {
      if (kind === "agent_created") reasons.set(id, "it has run since it was created");
      if (kind === "agent_state_changed") reasons.set(agent, reason);
      if (kind === "agent_rate_limited") reasons.set(principal, "its window of ");
    }
    const rows = await duck.rows(`SELECT agent, reason FROM ${file("agents")}`);
    const wrong = rows.filter(
      ({ agent, reason }) => !String(reason).startsWith(reasons.get(String(agent)) ?? "none"),
    );
    expect(wrong).toEqual([]);
    expect(new Set(reasons.values()).size).toBeGreaterThan(3);
  });

  it("tell which run they are of", async () => {
    for (const table of Object.keys(printed.tables)) {
      const [run, seed] = await duck.rows(`DESCRIBE SELECT * FROM ${file(table)}`);
      expect([run?.column_name, seed?.column_name]).toEqual(["run_id", "seed"]);
      const others = await sums(table, "count(*) AS n", "run_id <> 'r' OR seed <> 1");
      expect([table, others.n]).toEqual([table, 0]);
    }
    const notes = await duck.rows(
      `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata(${file("trades")})`,
    );
    expect(notes).toContainEqual({ key: "run", value: "r" });
    expect(notes).toContainEqual({ key: "seed", value: "1" });
  });
});

/** The SQL of docs/export.md, with the paths of the test's files. */
const sqlOfPage = (heading: string): string => {
  const page = readFileSync(new URL("../../docs/export.md", import.meta.url), "utf8");
  const [, section = ""] = page.split(`## ${heading}\n`);
  const [, sql = ""] = /```sql\n([\s\S]*?)```/.exec(section) ?? [];
  return sql.replaceAll(/'(\w+)\.parquet'/g, (_, table: string) => file(table));
};

describe("the examples of docs/export.md", () => {
  it("compute the inequality of the timeline", async () => {
    const rows = await duck.rows(sqlOfPage("Example: inequality over time"));
    const { at_ms, gini } = report.metrics.timeline;
    expect(rows.map((row) => row.at_ms)).toEqual(at_ms);
    expect(rows.map((row) => row.gini)).toEqual(gini.map((value) => expect.closeTo(value, 9)));
    expect(new Set(gini).size).toBeGreaterThan(10);
  });

  it("show the price of thinking over time", async () => {
    const rows = await duck.rows(sqlOfPage("Example: the price of thinking over time"));
    expect(rows.length).toBeGreaterThan(1);
    const sold = rows.reduce((sum, row) => sum + Number(row.lots_sold), 0);
    expect(sold).toBe(report.metrics.compute.sold);
    expect(rows.some((row) => Number(row.scrip_per_dollar) > 0)).toBe(true);
  });
});

describe("the other formats", () => {
  it.each(["csv", "jsonl"] as const)("%s has the same rows as Parquet", async (format) => {
    const said = jsonOf(folder, "export", "r", "--format", format, "-o", format);
    expect(said).toEqual({ dir: format, format, tables: printed.tables });
    const csv = "header = true, quote = '\"', escape = '\"', allow_quoted_nulls = false";
    const options = format === "csv" ? csv : "format = 'newline_delimited'";
    const reader = format === "csv" ? "read_csv" : "read_json";
    for (const table of Object.keys(printed.tables)) {
      const columns = await duck.rows(`DESCRIBE SELECT * FROM ${file(table)}`);
      const types = columns
        .map((each) => `'${each.column_name}': '${each.column_type}'`)
        .join(", ");
      const read = `${reader}(${file(table, format)}, columns = {${types}}, ${options})`;
      const parquet = `SELECT row_number() OVER () AS row, * FROM ${file(table)}`;
      const others = await duck.rows(
        `(${parquet}) EXCEPT (SELECT row_number() OVER () AS row, * FROM ${read}) LIMIT 2`,
      );
      expect(others).toEqual([]);
      expect(await duck.row(`SELECT count(*) AS n FROM ${read}`)).toEqual({
        n: printed.tables[table],
      });
    }
  });
});

describe("sim export", () => {
  it("writes only the wanted tables, at the wanted interval", async () => {
    const flags = ["--tables", "agents_over_time, trades", "--every", "10s", "-o", "few"];
    expect(sim(folder, "export", "r", ...flags)).toEqual({
      code: 0,
      out: expect.stringMatching(/^table\trows\nagents_over_time\t\d+\ntrades\t\d+\n$/),
      err: "written: few\n",
    });
    expect(readdirSync(join(folder, "few"))).toEqual([
      "agents_over_time.parquet",
      "trades.parquet",
    ]);
    const rows = await duck.rows(
      `SELECT DISTINCT at_ms FROM '${join(folder, "few/agents_over_time.parquet")}' ORDER BY at_ms`,
    );
    const moments = [...Array(12).keys()].map((step) => step * 10_000);
    expect(rows.map(({ at_ms }) => at_ms)).toEqual([...moments, report.at_ms]);
  });

  it("of a fork has the events after the fork, as its report", async () => {
    const { metrics } = jsonOf(folder, "report", "f");
    const { tables } = jsonOf(folder, "export", "f", "-o", "fork");
    expect(tables).toMatchObject({
      events: metrics.events,
      payments: metrics.money.payments,
      trades: metrics.trades.total,
      actions: metrics.work.actions,
    });
    const calls = await duck.row(
      `SELECT sum(calls) AS n FROM '${join(folder, "fork/artifacts.parquet")}' WHERE NOT is_genesis`,
    );
    expect(calls.n).toBe(metrics.capital.calls);
  });

  it("refuses what it does not know, and leaves no files", () => {
    const unknown = sim(folder, "export", "r", "--tables", "trade", "-o", "no");
    expectRefusal(unknown, 2, "--tables trade: there is no such table; did you mean `trades`?");
    expect(sim(folder, "export", "r", "--format", "xml", "-o", "no")).toMatchObject({ code: 2 });
    const taken = join("exports", "r", "trades.parquet");
    expectRefusal(
      sim(folder, "export", "r", "-o", taken),
      2,
      /-o .*trades\.parquet: .*name a folder/,
    );
    const below = join("exports", "r", "trades.parquet", "below");
    expectRefusal(
      sim(folder, "export", "r", "-o", below),
      2,
      /^sim: exports.r.trades\.parquet: it is not a folder; choose another path\n$/,
    );
    expect(existsSync(join(folder, "no"))).toBe(false);
  });
});
