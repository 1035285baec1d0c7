import {
  type Artifact,
  canonical,
  liveArtifact,
  must,
  NOTHING_ATTACHED,
  physicsOf,
  type Submission,
} from "../../kernel/index.ts";
import { decodeJson } from "../wire-codec.ts";
import type { World } from "../world.ts";
import { customOf } from "./custom.ts";
import type { Dossier } from "./scorer.ts";

/** The first examples of an interface stand for all. */
const EXAMPLES_RUN_MAX = 8;

/** What is known of a winner now. Its examples are run, and leave nothing behind. */
export const dossierOf = (world: World, winner: Submission, atMs: number): Dossier => {
  const { state } = world;
  const { id: submission, artifact: id, bidder } = winner;
  const artifact = must(liveArtifact(state, id), "what awaits a score is not deleted");
  const others = [...state.scores.rows()]
    .filter((score) => score.artifact !== id)
    .map((score) => ({ artifact: score.artifact, memo: score.memo }))
    .sort((a, b) => (a.artifact < b.artifact ? -1 : 1));
  return {
    submission,
    artifact: id,
    bidder,
    content: artifact.content,
    code: artifact.code ?? "",
    codeOrdinal: artifact.codeOrdinal,
    interface: artifact.interface,
    custom: customOf(state, { artifact: id, bidder }),
    examples: examplesOf(world, { artifact, winner, atMs }),
    memo: state.scores.get(id)?.memo ?? null,
    others,
  };
};

type Examined = {
  readonly artifact: Artifact;
  readonly winner: Submission;
  readonly atMs: number;
};

const examplesOf = (world: World, { artifact, winner, atMs }: Examined): Dossier["examples"] => {
  const { test_gas: gasMax } = physicsOf(world.state).mint;
  const examples = (artifact.interface?.methods ?? [])
    .flatMap(({ name, examples: shown = [] }) => shown.map((example) => ({ name, ...example })))
    .slice(0, EXAMPLES_RUN_MAX);
  let passed = 0;
  for (const { name: method, args, result } of examples) {
    const tried = world.tryOut({
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
    // What holds the engine up does so once: the world does not wait for the others.
    if (tried.fused) break;
    if (tried.result === null) continue;
    if (canonical(decodeJson(tried.result)) === canonical(result)) passed += 1;
  }
  return { run: examples.length, passed };
};
