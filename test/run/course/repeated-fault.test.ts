import { join } from "node:path";
import { expect, it } from "vitest";
import { writePersonas } from "../../support/model-run.ts";
import { checkpointAt, simulate, withJournal } from "../../support/simulation-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const SAID = "The server had an error while it worked on your request. Try again in a while.";
const broken: typeof globalThis.fetch = async () =>
  new Response(JSON.stringify({ error: { message: SAID, type: "server_error" } }), {
    status: 500,
    headers: { "content-type": "application/json" },
  });

const SETS = [
  "run.duration_s=12",
  "llm.default_model=openai-compatible/tiny",
  "llm.providers.openai-compatible.base_url=http://127.0.0.1:4000/v1",
  "llm.failover.attempts_max=1",
  "llm.failover.cooldown_initial_s=0.001",
  "llm.failover.cooldown_max_s=0.001",
  "agent.loop.max_consecutive_errors=100",
  "agent.loop.max_delay_s=1",
  "memory.backend=none",
  "virtual.think_ms.llm=[100,100]",
  "mint.tasks=[]",
];

it("a repeated fault has the same message in a continued run", async () => {
  const agents = join(temporaryFolder(), "agents");
  writePersonas(agents, { ann: { mind: "llm" } });
  const order = { fetch: broken };
  const whole = await simulate(temporaryFolder(), { agents, sets: SETS, order });
  const told = await withJournal(whole.folder, (journal) => [
    ...journal.events({ kind: "thought_failed" }),
  ]);
  expect(told.length).toBeGreaterThan(6);
  for (const { body } of told) {
    expect(JSON.parse(body).message).toBe(`provider_error: HTTP 500: ${SAID}`);
  }
  const from = await checkpointAt(whole.folder, told[4]?.seq ?? 0);
  const rest = await simulate(temporaryFolder(), { agents: null, sets: SETS, order, from });
  expect(rest.stateHash).toBe(whole.stateHash);
});
