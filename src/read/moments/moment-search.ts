import { PROSE_CHARS_COMPARED } from "../../coding-agents/index.ts";
import { hashedVector } from "../../memory/index.ts";
import type { AgentMoment } from "./agent-moment.ts";
import { type Iteration, proseIn } from "./iteration.ts";

/** Which moments to list. A null asks for nothing. */
type MomentQuery = {
  readonly agent: string | null;
  /** An artifact that the moments touched. */
  readonly thing: string | null;
  readonly verb: string | null;
  readonly fromMs: number | null;
  readonly fromSeq: number | null;
  /** The last event. */
  readonly upTo: number;
};

/** The moments that a query asks for, in order. */
export const matching = (
  moments: readonly AgentMoment[],
  { agent, thing, verb, fromMs, fromSeq, upTo }: MomentQuery,
): readonly AgentMoment[] =>
  moments.filter(
    (moment) =>
      moment.seq <= upTo &&
      (agent === null || moment.actor === agent) &&
      (thing === null || moment.things.includes(thing)) &&
      (verb === null || moment.verb === verb) &&
      (fromMs === null || moment.at_ms >= fromMs) &&
      (fromSeq === null || moment.seq >= fromSeq),
  );

/** A moment must be this similar to a query, as the cosine of their vectors. */
const SIMILARITY_MIN = 0.05;

/** The largest value of a stored number. */
const STEPS = 127;

/**
 * Finds moments by meaning. It keeps a vector of one byte for each dimension of each moment, and
 * no texts.
 */
export class MomentSearch {
  readonly #vectors = new Map<number, Int8Array>();

  add({ seq }: AgentMoment, iteration: Iteration): void {
    const vector = hashedVector(proseIn(iteration).slice(0, PROSE_CHARS_COMPARED));
    const kept = new Int8Array(vector.length);
    for (let slot = 0; slot < kept.length; slot += 1) {
      kept[slot] = Math.round((vector[slot] ?? 0) * STEPS);
    }
    this.#vectors.set(seq, kept);
  }

  /** The moments that are similar to `words`, most similar first. */
  sorted(moments: readonly AgentMoment[], words: string): readonly AgentMoment[] {
    const vector = hashedVector(words);
    const slots = [...vector.keys()].filter((slot) => vector[slot] !== 0);
    const scored = moments.map((moment) => {
      const known = this.#vectors.get(moment.seq);
      const sum = slots.reduce((all, slot) => all + (vector[slot] ?? 0) * (known?.[slot] ?? 0), 0);
      return { moment, score: sum / STEPS };
    });
    return scored
      .filter(({ score }) => score >= SIMILARITY_MIN)
      .sort((a, b) => b.score - a.score || a.moment.seq - b.moment.seq)
      .map(({ moment }) => moment);
  }
}
