import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { forgedCheckpoint, recordedCheckpoint } from "../support/recorded-run.ts";
import { emptyFolder, jsonOf, sim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

type Forge = Parameters<typeof forgedCheckpoint>[0];
type Fields = { [field: string]: unknown };

const put =
  (table: string, key: string, fields: Fields): Forge =>
  ({ state }) => {
    const rows = state[table] as [string, Fields][];
    Object.assign(rows.find(([own]) => own === key)?.[1] ?? {}, fields);
  };

const folderWithForged = (forge: Forge): string => {
  const folder = emptyFolder();
  writeFileSync(join(folder, "forged.ckpt"), forgedCheckpoint(forge));
  return folder;
};
const RUN = ["run", "--from", "forged.ckpt", "--duration", "5", "--name", "new"];

/** The disk that an agent's text takes is in three rows, which a careful forger knows. */
const rewritten = (content: string): Forge => {
  return (document) => {
    const rows = document.state.artifacts as [string, Fields][];
    const row = rows.find(([own]) => own === "ada")?.[1] ?? {};
    const more = content.length - String(row.content).length;
    const accounts = document.state.accounts as [string, Fields][];
    const account = accounts.find(([own]) => own === "ada")?.[1] ?? {};
    put("artifacts", "ada", { content, sizeBytes: Number(row.sizeBytes) + more })(document);
    put("accounts", "ada", { diskUsed: Number(account.diskUsed) + more })(document);
  };
};

describe("a forged checkpoint with correct hashes", () => {
  it.each<readonly [string, Forge, RegExp]>([
    [
      "has rows that are none",
      put("agents", "ada", { due: "soon" }),
      /cannot start from kept after event \d+: .* its table "agents": "ada"\.due is not a rec/,
    ],
    [
      "lacks a field",
      put("world", "world", { supply: { endowed: 300 } }),
      /its table "world": "world"\.supply\.minted is missing; use an unchanged copy of it$/m,
    ],
    [
      "makes money",
      put("accounts", "ada", { scrip: 1_000_000 }),
      /cannot start from kept after event \d+: it breaks invariant 1: .*; use another checkpoint$/m,
    ],
    [
      "would number things twice",
      put("world", "world", { artifactsMade: 2 }),
      /cannot start from kept after event \d+: \w+ has number \d+, but only 2 were made; use/,
    ],
    [
      "has an agent that no one understands",
      rewritten('{"mind":"policy/oracle"}'),
      /cannot start from kept after event \d+: the configuration of agent ada is invalid/,
    ],
    [
      "names a moment before its last event",
      (document) => void Object.assign(document, { at_ms: 5 }),
      /its last event is at \d+ ms, but its clock is only at 5 ms; use another/,
    ],
  ])("that %s is refused in one line, and no folder is left", (_, forge, words) => {
    const folder = folderWithForged(forge);
    expectRefusal(sim(folder, ...RUN), 2, words);
    expect(existsSync(join(folder, "runs")) ? readdirSync(join(folder, "runs")) : []).toEqual([]);
  });

  it.each<readonly [string, Forge]>([
    ["has rows that are none", put("agents", "ada", { due: "soon" })],
    ["breaks an invariant", put("accounts", "ada", { scrip: 1_000_000 })],
    ["would number things twice", put("world", "world", { artifactsMade: 2 })],
    ["has no world", ({ state }) => void Object.assign(state, { whole: [] })],
  ])("that %s does not verify", (_, forge) => {
    const said = sim(folderWithForged(forge), "verify", "forged.ckpt");
    expect(said).toMatchObject({ code: 1, err: "" });
    expect(said.out).toMatch(/^FAILS\t(checkpoint|state|invariant-1)\t/m);
  });

  it.each<readonly [string, unknown]>([
    ["nothing", null],
    ["a word", "x"],
    ["no dice", { dice: [], policy: null, of: "producer" }],
    ["needs that are none", { dice: [1, 2, 3, 4], of: "producer", policy: { needs: "x" } }],
    [
      "duties of another shape",
      { dice: [1, 2, 3, 4], of: "producer", policy: { duties: { asked: "fuel", loans: [7] } } },
    ],
  ])("in which the memory of a mind is %s continues: that mind starts again", (_, mind) => {
    const said = sim(folderWithForged(put("agents", "ada", { mind })), ...RUN);
    expect({ code: said.code, err: said.code === 0 ? "" : said.err }).toEqual({ code: 0, err: "" });
  });

  it("equals the original if nothing was changed", () => {
    const verdict = jsonOf(
      folderWithForged(() => {}),
      "verify",
      "forged.ckpt",
    );
    expect(verdict).toMatchObject({ ok: true, state_hash: recordedCheckpoint().state_hash });
  });
});
