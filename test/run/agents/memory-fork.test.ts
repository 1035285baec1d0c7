import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Launch } from "../../../src/run/index.ts";
import type { Checkpoint } from "../../../src/world/index.ts";
import { acting, NOOP, writePersonas } from "../../support/model-run.ts";
import { PROMPT_MODEL_SETS } from "../../support/prompt-model.ts";
import { emptyFolder } from "../../support/sim.ts";
import { checkpointAt, newRun, withJournal } from "../../support/simulation-run.ts";

const SETS = [
  ...PROMPT_MODEL_SETS,
  "virtual.think_ms.llm=[1000,1000]",
  "memory.embedder=hashed",
  "agent.rag.limit=20",
  "mint.tasks=[]",
];
const ledger = (method: string, ...args: readonly string[]) =>
  acting({ invoke_artifact: { artifact_id: "genesis_ledger", method, args } });
const SALE: { readonly [id: string]: readonly { readonly text: string }[] } = {
  ann: [
    acting({ read_artifact: { artifact_id: "iron" } }),
    ledger("transfer_ownership", "ann_memory", "bob"),
  ],
  bob: [NOOP, NOOP, NOOP, ledger("accept", "ann_memory")],
};

/** A model that gives each agent these answers in turn, and keeps the last prompt of each. */
const modelWith = (answers: typeof SALE) => {
  const [turns, prompts] = [new Map<string, number>(), new Map<string, string>()];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const text = String(init?.body);
    const who = /Your name is (\S+)\./.exec(text)?.[1] ?? "";
    const turn = turns.get(who) ?? 0;
    turns.set(who, turn + 1);
    prompts.set(who, text);
    const content = answers[who]?.[turn]?.text ?? NOOP.text;
    const usage = { prompt_tokens: 10, completion_tokens: 5 };
    const choices = [{ message: { content }, finish_reason: "stop" }];
    return new Response(JSON.stringify({ choices, usage }));
  };
  const recalls = (who: string): boolean =>
    (prompts.get(who) ?? "").includes("Agent ann performed read_artifact iron");
  return { fetch, recalls };
};

it("a fork before or after the sale of a memory gives it to its owner at that time", async () => {
  const out = emptyFolder();
  const agents = join(out, "agents");
  mkdirSync(agents);
  writePersonas(agents, { ann: { mind: "llm" }, bob: { mind: "llm" } });
  const play = async (runId: string, seconds: number, from: Checkpoint | null) => {
    const model = modelWith(from === null ? SALE : {});
    const sets = [...SETS, `run.duration_s=${seconds}`];
    const request = newRun(join(out, "runs"), { agents, sets, order: { fetch: model.fetch } });
    const launched = Launch.start({ ...request, runId, from });
    if (!launched.ok) throw new Error(launched.problems.join("\n"));
    await launched.launch.run();
    return { folder: launched.launch.directory.folder, recalls: model.recalls };
  };
  const parent = await play("parent", 9, null);
  expect([parent.recalls("ann"), parent.recalls("bob")]).toEqual([false, true]);
  const seqOf = (kind: string): Promise<number> =>
    withJournal(parent.folder, (journal) => {
      const [event] = [...journal.events({ kind })];
      return event?.seq ?? expect.fail(`there is an event ${kind}`);
    });
  const forkAt = async (runId: string, kind: string) =>
    play(runId, 12, await checkpointAt(parent.folder, await seqOf(kind)));
  const before = await forkAt("before", "ownership_offered");
  expect([before.recalls("ann"), before.recalls("bob")]).toEqual([true, false]);
  const after = await forkAt("after", "ownership_transferred");
  expect([after.recalls("ann"), after.recalls("bob")]).toEqual([false, true]);
});
