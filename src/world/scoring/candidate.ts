import {
  type Artifact,
  canonical,
  codesOf,
  type Id,
  liveArtifact,
  must,
  NOTHING_ATTACHED,
  physicsOf,
  type State,
  type Submission,
} from "../../kernel/index.ts";
import { decodeJson } from "../core/json.ts";
import type { CallSimulator } from "../core/request.ts";
import { netSalesOf } from "./net-sales.ts";
import type { Candidate, Rival } from "./scorer.ts";

const EXAMPLES_RUN_MAX = 8;

/** Collects what a scorer needs. Runs the declared examples and rolls back their effects. */
export const candidateOf = (world: CallSimulator, winner: Submission, atMs: number): Candidate => {
  const { state } = world;
  const { id: submission, artifact: id, bidder } = winner;
  const artifact = must(
    liveArtifact(state, id),
    "an artifact that awaits its score must not be deleted",
  );
  return {
    submission,
    artifact: id,
    bidder,
    content: artifact.content,
    code: artifact.code ?? "",
    fingerprint: artifact.codePrint,
    codeOrdinal: artifact.codeOrdinal,
    pastCodes: codesOf(state, id).slice(0, -1),
    interface: artifact.interface,
    netSales: netSalesOf(state, { artifact: id, bidder }),
    examples: examplesOf(world, { artifact, winner, atMs }),
    memo: state.scores.get(id)?.memo ?? null,
    others: rivalsOf(state, id),
  };
};

/** The other artifacts that were scored or sold. Novelty is measured against their code. */
const rivalsOf = (state: State, id: Id): readonly Rival[] => {
  const known = new Set([...state.scores.keys(), ...state.histories.keys()]);
  known.delete(id);
  return [...known]
    .sort()
    .map((artifact) => ({
      artifact,
      memo: state.scores.get(artifact)?.memo ?? null,
      codes: codesOf(state, artifact),
    }))
    .filter(({ artifact, codes }) => state.scores.has(artifact) || codes.some(({ sold }) => sold));
};

type Examined = { readonly artifact: Artifact; readonly winner: Submission; readonly atMs: number };

const examplesOf = (
  world: CallSimulator,
  { artifact, winner, atMs }: Examined,
): Candidate["examples"] => {
  const { test_gas: gasMax } = physicsOf(world.state).mint;
  const examples = (artifact.interface?.methods ?? [])
    .flatMap(({ name, examples: shown = [] }) => shown.map((example) => ({ name, ...example })))
    .slice(0, EXAMPLES_RUN_MAX);
  let passed = 0;
  for (const { name: method, args, result } of examples) {
    const tried = world.simulateCall({
      principal: winner.bidder,
      at_ms: atMs,
      request: {
        artifact_id: artifact.id,
        method,
        args,
        attach: NOTHING_ATTACHED,
        max_price: null,
      },
      gasMax,
    });
    // After a timeout, runs no more examples, so that the world waits for only one timeout.
    if (tried.timedOut) break;
    if (tried.result === null) continue;
    if (canonical(decodeJson(tried.result)) === canonical(result)) passed += 1;
  }
  return { run: examples.length, passed };
};
