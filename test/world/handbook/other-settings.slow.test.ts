import { describe, expect, it } from "vitest";
import type { Physics } from "../../../src/kernel/index.ts";
import { loadConfig, physicsFor } from "../../../src/run/config/index.ts";
import { sandboxFor } from "../../../src/world/index.ts";
import { examplesIn, pagesOf, perform, toldWorld } from "./told-world.ts";

/** A slow machine must not stop a program before its gas or its memory is used up. */
const PATIENT = "sandbox.wall_timeout_ms=60000";

const physicsOfSets = (sets: readonly string[]): Physics => {
  const loaded = loadConfig({ file: null, sets: [...sets, PATIENT], flags: [] });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded));
  return physicsFor(loaded.config);
};

/** Settings that pages quote, in groups that can all be true of one world. */
const SETTINGS: { readonly [name: string]: readonly string[] } = {
  "small limits, fees and a late mint": [
    "resources.windows.actions=41",
    "resources.windows.llm_calls=7",
    "resources.windows.llm_tokens=43000",
    "resources.windows.cpu_gas=900000",
    "resources.windows.bytes_written=47000",
    "resources.window_s=53",
    "resources.stock.llm_budget_usd=0.5",
    "resources.stock.disk_bytes=120000",
    "sandbox.gas_max=110000",
    "sandbox.memory_bytes=4000000",
    "sandbox.invoke_depth_max=4",
    "sandbox.result_bytes_max=9000",
    "sandbox.state_bytes_max=61000",
    "sandbox.syscalls_max=99",
    "spawn.minimum.actions=7",
    "spawn.minimum.disk_bytes=6000",
    "agent.loop.sleep_max_s=21",
    "agent.loop.min_delay_s=0.3",
    "genesis.costs.genesis_ledger.transfer=3",
    "genesis.costs.genesis_ledger.balance=2",
    "genesis.costs.genesis_store.get=4",
    "genesis.costs.genesis_mint.post_task=5",
    "genesis.costs.genesis_mint.bid=2",
    "mint.test_gas=9000",
    "mint.first_auction_s=131",
    "mint.period_s=70",
    "mint.bidding_window_s=17",
    "mint.slots=3",
    "mint.minimum_bid=6",
    "mint.mint_ratio=4",
    "mint.proceeds=burn",
    "compute.period_s=37",
    "compute.supply_micros_per_period=90000",
    "compute.lot_micros=40000",
    "compute.minimum_price=3",
    "compute.proceeds=burn",
  ],
  "large limits and auctions without a break": [
    "resources.windows.actions=83",
    "resources.windows.cpu_gas=9000000",
    "resources.stock.disk_bytes=700000",
    "sandbox.gas_max=900000",
    "sandbox.memory_bytes=30000000",
    "sandbox.invoke_depth_max=8",
    "sandbox.result_bytes_max=130000",
    "sandbox.syscalls_max=700",
    "spawn.minimum.actions=25",
    "spawn.minimum.disk_bytes=22000",
    "mint.first_auction_s=1",
    "mint.period_s=40",
    "mint.bidding_window_s=40",
    "compute.sale=posted",
    "compute.posted_price=11",
    "compute.period_s=7",
  ],
  "equal shares of model budget": ["compute.sale=equal", "compute.period_s=70"],
  "no supply of model budget": ["compute.supply_micros_per_period=0"],
  "few genesis artifacts": ['genesis.enabled=["event_log","store","escrow","voting"]'],
};

describe.each(Object.entries(SETTINGS))("the handbook of a world with %s", (_, sets) => {
  const physics = physicsOfSets(sets);

  it("states what happens in each of its examples", async () => {
    const sandbox = sandboxFor(physics);
    const wrong: string[] = [];
    for (const [page, text] of pagesOf(physics)) {
      const performed = await perform(await toldWorld(sandbox, physics), examplesIn(text));
      const broken = performed.filter(({ happens, says }) => happens !== says);
      wrong.push(
        ...broken.map(({ name, happens, says }) => `${page}: ${name} → ${happens}, not ${says}`),
      );
    }
    await sandbox.close();
    expect(wrong).toEqual([]);
  });
});

it("the handbook quotes the settings of its world", () => {
  const pages = [...pagesOf(physicsOfSets(Object.values(SETTINGS)[0] ?? [])).values()].join("\n");
  for (const quoted of [
    "41 actions, 7 llm_calls, 43000 llm_tokens, 900000 cpu_gas, 47000 bytes_written",
    "In every rolling window of 53 s",
    "Model budget: 500000 micro-dollars",
    "Disk: 120000 bytes",
    "110000 gas, 99 syscalls",
    "4000000 bytes of memory",
    "a result of 9000 bytes, state of 61000 bytes",
    "at least 7 actions and 6000 bytes of disk",
    "sleep after an action: for up to 21 s",
    "memo?) costs 3 scrip",
    "Bidding opens 131 s after the start",
    "The minimum is 6 scrip",
    "A test of a task may use 9000 gas",
    "slots → 3",
    "2 lots of 40000 micro-dollars each",
  ]) {
    expect(pages).toContain(quoted);
  }
});
