import { expect, it } from "vitest";
import type { CommandRow, JournalRow } from "../../../src/world/journal/index.ts";
import { FORMAT_VERSION } from "../../../src/world/journal/index.ts";
import { type Upcast, type UpcastTable, upcastFrom } from "../../../src/world/journal/upcasts.ts";

const row: JournalRow = { seq: 1, atMs: 0, kind: "k", principal: null, body: "1", hash: "h" };
const command: CommandRow = { firstSeq: 1, lastSeq: 1, command: "1", fused: false };
const appending = (text: string): Upcast => ({
  event: (event) => ({ ...event, body: event.body + text }),
  command: (each) => ({ ...each, command: each.command + text }),
});
const table: UpcastTable = new Map([
  [1, appending("→2")],
  [2, appending("→3")],
]);

it("reads rows of the present version as they are", () => {
  expect(upcastFrom(FORMAT_VERSION)?.event(row)).toEqual(row);
  expect(upcastFrom(FORMAT_VERSION)?.command(command)).toEqual(command);
});

it("takes every step from an older version, in order", () => {
  expect(upcastFrom(1, table, 3)?.event(row).body).toBe("1→2→3");
  expect(upcastFrom(2, table, 3)?.command(command).command).toBe("1→3");
});

it("knows nothing of a version without a step", () => {
  expect(upcastFrom(0, table, 3)).toBeNull();
});
