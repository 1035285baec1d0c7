import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { modelUsageIn } from "../../../src/run/core/model-usage.ts";
import { Journal } from "../../../src/world/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const NOW_MS = 1.9e12;
const attempt = (agoMs: number) => ({ model: "a/x", key: 0, tokens: 7, endedMs: NOW_MS - agoMs });

it("model usage is the total cost and the attempts of the last minute", () => {
  const settings = { sync: "normal", groupMs: 0 } as const;
  const created = Journal.create(join(temporaryFolder(), "journal.db"), settings);
  if (!created.ok) throw new Error(created.problem);
  const { journal } = created;
  onTestFinished(() => journal.close());
  const records = [
    { costMicros: 5, reply: { ok: true, attempts: [attempt(70_000)] } },
    { costMicros: 6, reply: { ok: true, attempts: [attempt(61_000), attempt(59_000)] } },
    { costMicros: 7, reply: { ok: false } },
    { costMicros: 8, reply: { ok: false, attempts: [attempt(0)] } },
    "damaged",
  ];
  for (const record of records) journal.noteModelCall(() => JSON.stringify(record));
  journal.flush();
  expect(modelUsageIn(journal, NOW_MS)).toEqual({
    spentMicros: 26,
    attempts: [attempt(59_000), attempt(0)],
  });
});
