import { join } from "node:path";
import { expect, it } from "vitest";
import { Dice } from "../../src/kernel/core/dice.ts";
import { asId, type State } from "../../src/kernel/index.ts";
import { type RecordedCall, readCalls } from "../../src/model/index.ts";
import { conversationIn } from "../../src/tools/index.ts";
import { isRunEvent, type Journal, replay } from "../../src/world/index.ts";
import { writePersonas } from "../support/model-run.ts";
import { PROMPT_MODEL_SETS } from "../support/prompt-model.ts";
import {
  checkpointAt,
  type RunSetup,
  SMALL_WORLD,
  simulate,
  withJournal,
} from "../support/simulation-run.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { improviser } from "./improviser.ts";

const CUTS = 14;
const AGENTS = ["a", "b", "c"];

/** A turn between two of its steps, after event `seq`. `isActing`: its action is not done yet. */
type OpenTurn = { readonly seq: number; readonly isActing: boolean };

const openTurnsIn = ({ agents }: State, seq: number): readonly OpenTurn[] =>
  AGENTS.flatMap((id) => {
    const { turn } = conversationIn(agents.get(asId(id))?.mind ?? null);
    if (turn === null || turn.step === 0) return [];
    return [{ seq, isActing: turn.pending !== null }];
  });

/** A turn that is open after each transaction, if there is one. */
const openTurns = (journal: Journal): readonly OpenTurn[] => {
  const found: OpenTurn[] = [];
  replay(journal, {
    before: ({ seq, kind }, state) => {
      // The notes at the end of a run follow its last moment, after which nothing can continue.
      if (isRunEvent(kind) || journal.transactionEnd(seq - 1) !== seq - 1) return;
      const turns = openTurnsIn(state, seq - 1);
      const turn = turns[seq % Math.max(1, turns.length)];
      if (turn !== undefined) found.push(turn);
    },
  });
  return found;
};

/** The events after `seq`, without their numbers and without notes about the run itself. */
const eventsAfter = (folder: string, seq: number): Promise<readonly string[]> =>
  withJournal(folder, (journal) =>
    [...journal.events({ after: seq })]
      .filter((row) => !isRunEvent(row.kind))
      .map(({ atMs, kind, principal, body }) => `${atMs} ${kind} ${principal} ${body}`),
  );

const callsIn = (journal: Journal): readonly RecordedCall[] =>
  [...readCalls(journal.modelCalls())].map((read) => {
    if (!read.ok) throw new Error(read.problem);
    return read.call;
  });

const offline: typeof globalThis.fetch = () => Promise.reject(new Error("a model was called"));

it(`a run that is cut ${CUTS} times in the middle of turns ends in the same way`, async () => {
  const agents = join(temporaryFolder(), "agents");
  writePersonas(agents, Object.fromEntries(AGENTS.map((id) => [id, { mind: "tools" }])));
  const run: RunSetup = {
    agents,
    sets: [
      "run.duration_s=15",
      ...PROMPT_MODEL_SETS,
      "virtual.think_ms.llm=[500,2500]",
      "memory.embedder=hashed",
      SMALL_WORLD,
    ],
  };
  const whole = await simulate(temporaryFolder(), { ...run, order: { fetch: improviser } });
  const { calls, open } = await withJournal(whole.folder, (journal) => ({
    calls: callsIn(journal),
    open: openTurns(journal),
  }));
  const order = { fetch: offline, replay: { calls, otherwise: "fail" as const } };
  const dice = Dice.of(1, "cuts");
  const left = [...open];
  const cuts = Array.from({ length: CUTS }, () => left.splice(dice.pick(left.length), 1)).flat();
  expect(cuts).toHaveLength(CUTS);
  expect(new Set(cuts.map(({ isActing }) => isActing))).toEqual(new Set([true, false]));
  for (const { seq } of cuts) {
    const from = await checkpointAt(whole.folder, seq);
    expect(from.seq).toBe(seq);
    const rest = await simulate(temporaryFolder(), { ...run, agents: null, from, order });
    const at = `cut at ${from.seq}: `;
    expect(at + rest.stateHash).toBe(at + whole.stateHash);
    const later = await eventsAfter(rest.folder, from.seq);
    expect(later, at).toEqual(await eventsAfter(whole.folder, from.seq));
  }
});
