import { describe, expect, it } from "vitest";
import { z } from "zod";
import { eventsOf, folderOf, type Scripts } from "../attack/arena.ts";
import { jsonOf, setFlags, sim } from "../support/sim.ts";

const [count, text] = [z.number(), z.string()];
const alarm = z.object({ alarm: text, times: count, on_s: count, share: count, cause: text });
const report = z.looseObject({ alarms: z.array(alarm) });

const alarmsOf = (scripts: Scripts, seconds: number) => {
  const folder = folderOf(scripts);
  const flags = ["--clock", "virtual", "--duration", String(seconds), "--name", "ill"];
  return { folder, alarms: report.parse(jsonOf(folder, "run", ...flags)).alarms };
};

const idle = [{ repeat: 400, do: [{ noop: {} }, { wait: 2 }] }];

describe("the alarms of a run", () => {
  it("are reported with duration and cause, and are in the journal", () => {
    const { folder, alarms } = alarmsOf({ ann: idle, bob: idle }, 120);
    const names = ["no_trade", "identical_behaviour", "no_scarcity", "read_only"];
    expect(alarms.map(({ alarm }) => alarm)).toEqual(names);
    expect(alarms[0]).toMatchObject({ times: 1, on_s: 60, share: 0.5 });
    for (const { cause } of alarms) expect(cause).toMatch(/in the last 60 s/);
    const raised = eventsOf(folder, "ill", "--kind", "alarm_raised");
    expect(raised).toMatchObject(names.map((alarm) => ({ alarm, at_ms: 60_000 })));
    expect(sim(folder, "verify", "ill").code).toBe(0);
  });

  it("are cleared when trade starts", () => {
    const shop = { artifact_id: "shop", code: "function run() { return 1 }", price: 1 };
    const ann = [{ write_artifact: shop }, { wait: 200 }];
    const buys = { invoke_artifact: { artifact_id: "shop", args: [] } };
    const bob = [{ wait: 100 }, { repeat: 20, do: [buys, { wait: 5 }] }];
    const { folder, alarms } = alarmsOf({ ann, bob }, 190);
    expect(alarms.find(({ alarm }) => alarm === "no_trade")).toMatchObject({ times: 1, on_s: 50 });
    const ended = eventsOf(folder, "ill", "--kind", "alarm_cleared");
    const cleared = ended.find(({ alarm }) => alarm === "no_trade");
    expect(cleared).toMatchObject({ alarm: "no_trade", at_ms: 110_000, on_ms: 50_000 });
  });

  it("do not change the world", () => {
    const hashOf = (every: string): unknown => {
      const folder = folderOf({ ann: idle, bob: idle });
      const flags = ["--clock", "virtual", "--duration", "90"];
      return jsonOf(folder, "run", ...flags, ...setFlags(`health.every_s=${every}`)).state_hash;
    };
    expect(hashOf("10")).toHaveLength(64);
    expect(hashOf("10")).toBe(hashOf("70"));
  });
});
