import { describe, expect, it } from "vitest";
import { z } from "zod";
import { eventsOf, folderOf, type Scripts } from "../attack/arena.ts";
import { sim } from "../support/sim.ts";

const report = z.looseObject({
  alarms: z.array(
    z.object({
      alarm: z.string(),
      times: z.number(),
      on_s: z.number(),
      share: z.number(),
      cause: z.string(),
    }),
  ),
});

const alarmsOf = (scripts: Scripts, seconds: number) => {
  const folder = folderOf(scripts);
  const flags = ["--clock", "virtual", "--duration", String(seconds), "--name", "ill"];
  const { out, code } = sim(folder, "run", ...flags, "--json");
  expect(code).toBe(0);
  return { folder, alarms: report.parse(JSON.parse(out)).alarms };
};

const idle = [{ repeat: 400, do: [{ noop: {} }, { wait: 2 }] }];

describe("the alarms of a run", () => {
  it("are reported with duration and cause, and are in the journal", () => {
    const { folder, alarms } = alarmsOf({ ann: idle, bob: idle }, 120);
    expect(alarms.map(({ alarm }) => alarm)).toEqual([
      "no_trade",
      "identical_behaviour",
      "no_scarcity",
      "read_only",
    ]);
    expect(alarms[0]).toMatchObject({ times: 1, on_s: 60, share: 0.5 });
    for (const { cause } of alarms) expect(cause).toMatch(/in the last 60 s/);
    const raised = eventsOf(folder, "ill", "--kind", "alarm_raised");
    expect(raised.map(({ alarm }) => alarm)).toEqual(alarms.map(({ alarm }) => alarm));
    expect(raised.map(({ at_ms }) => at_ms)).toEqual([60_000, 60_000, 60_000, 60_000]);
    const said = sim(folder, "verify", "ill");
    expect(said.code).toBe(0);
  });

  it("are cleared when trade starts", () => {
    const shop = { artifact_id: "shop", code: "function run() { return 1 }", price: 1 };
    const ann = [{ write_artifact: shop }, { wait: 200 }];
    const buys = { invoke_artifact: { artifact_id: "shop", args: [] } };
    const bob = [{ wait: 100 }, { repeat: 20, do: [buys, { wait: 5 }] }];
    const { folder, alarms } = alarmsOf({ ann, bob }, 190);
    const quiet = alarms.find(({ alarm }) => alarm === "no_trade");
    expect(quiet).toMatchObject({ times: 1, on_s: 50 });
    const ended = eventsOf(folder, "ill", "--kind", "alarm_cleared");
    const cleared = ended.find(({ alarm }) => alarm === "no_trade");
    expect(cleared).toMatchObject({ alarm: "no_trade", at_ms: 110_000, on_ms: 50_000 });
  });

  it("do not change the world", () => {
    const hashOf = (every: string): unknown => {
      const folder = folderOf({ ann: idle, bob: idle });
      const flags = ["--clock", "virtual", "--duration", "90", "--set", `health.every_s=${every}`];
      return z
        .looseObject({ state_hash: z.string() })
        .parse(JSON.parse(sim(folder, "run", ...flags, "--json").out)).state_hash;
    };
    expect(hashOf("10")).toBe(hashOf("70"));
  });
});
