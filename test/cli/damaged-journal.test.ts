import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { copyRecordedRun } from "../support/recorded-run.ts";
import { emptyFolder, sim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

/** A folder with the kept run, in whose journal someone or something has changed this. */
const changed = (sql: string): string => {
  const folder = emptyFolder();
  copyRecordedRun(folder);
  const database = new DatabaseSync(join(folder, "runs/kept/journal.db"));
  database.exec(sql);
  database.close();
  return folder;
};

/** A digit of a text, long before the last snapshot. */
const FLIPPED = "UPDATE events SET body = replace(body, '1', '2') WHERE seq = 43";

const DAMAGED = /^sim: runs\/kept\/journal\.db is damaged: event 43 /;

describe("a run in whose journal a byte was flipped before its last snapshot", () => {
  it("is not resumed, and the message names the last undamaged event", () => {
    const folder = changed(FLIPPED);
    const said = sim(folder, "resume", "kept");
    expectRefusal(said, 3, DAMAGED);
    const [, cure = "", at = ""] = /`sim (fork runs\/kept --at event:(\d+))`/.exec(said.err) ?? [];
    expect(Number(at)).toBeLessThan(43);
    const forked = sim(folder, ...cure.split(" "), "--stop-after", "1", "--name", "sound");
    expect(forked, forked.err).toMatchObject({ code: 0 });
    expect(sim(folder, "verify", "sound").code).toBe(0);
  });

  it.each([
    ["forked", ["fork", "kept", "--name", "new"]],
    ["forked behind it", ["fork", "kept", "--at", "100", "--name", "new"]],
    ["kept in a checkpoint", ["checkpoint", "kept", "-o", "new.ckpt"]],
  ])("is not %s either", (_, args) => {
    expectRefusal(sim(changed(FLIPPED), ...args), 3, DAMAGED);
  });
});

it("sim events prints a body that is nested too deeply for JSON.stringify", () => {
  const depth = 20_000;
  const mind = ['{"in":{"a":'.repeat(depth), '{"to":1}', "}}".repeat(depth)].join("");
  const folder = changed(`UPDATE events SET body = '{"mind":${mind}}' WHERE seq = 43`);
  const { code, out } = sim(folder, "events", "kept", "--after", "42", "--limit", "1", "--json");
  expect({ code, body: out.endsWith(`"mind":${mind}}\n`) }).toEqual({ code: 0, body: true });
});

it.each([
  ["a snapshot names another event", "UPDATE snapshots SET seq = seq - 1"],
  ["a snapshot has another's hash", "UPDATE snapshots SET state_hash = 'x'"],
])("a run is not resumed if %s", (_, sql) => {
  const reason = /is damaged: the snapshot at event \d+ was changed, .*`sim verify`/;
  expectRefusal(sim(changed(sql), "resume", "kept"), 3, reason);
});

it("a run whose snapshot cannot be read resumes from its events", () => {
  const said = sim(changed("UPDATE snapshots SET body = zeroblob(9)"), "resume", "kept");
  expect(said, said.err).toMatchObject({ code: 0 });
});

const READERS = [
  ["report", "kept"],
  ["compare", "kept", "kept"],
  ["explain", "kept", "ada"],
  ["state", "kept", "ada"],
];

describe.each([
  ["are not JSON", "'{'", READERS],
  ["are not records", "'7'", READERS],
  ["are nothing", "'null'", READERS],
  // Who looks for a few things finds none of them there.
  ["lack what they say", "'{}'", READERS.slice(0, 2)],
])("a run whose later events %s", (_, body, readers) => {
  it.each(readers)("is reported as damaged, not as a bug: sim %s", (...args) => {
    const said = sim(changed(`UPDATE events SET body = ${body} WHERE seq > 42`), ...args);
    expectRefusal(said, 3, /^sim: .*(damaged: event 43 |event 43 .*is damaged: )/);
  });
});
