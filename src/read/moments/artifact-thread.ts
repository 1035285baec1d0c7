import type { AgentMoment } from "./agent-moment.ts";

/** A moment that touched an artifact, and the scrip that it moved for the artifact. */
export type ThreadMoment = Pick<AgentMoment, "seq" | "at_ms" | "actor"> & {
  /** Positive if the actor received the scrip. 0 if it moved none. */
  readonly amount: number;
  /** Whether it wrote code or content of the artifact. */
  readonly wrote: boolean;
};

/** An artifact through the lives of all agents. */
export type ArtifactThread = {
  readonly artifact: string;
  /** What others paid for it, and what the mint paid. */
  readonly earned: number;
  readonly minted: number;
  /** The number of all moments. `moments` has only the latest. */
  readonly total: number;
  readonly moments: readonly ThreadMoment[];
};

const MOMENTS_MAX = 300;

/** The moments that touched an artifact up to event `upTo`, oldest first. */
export const artifactThread = (
  all: readonly AgentMoment[],
  artifact: string,
  upTo: number,
): ArtifactThread => {
  let [earned, minted] = [0, 0];
  const moments = all.flatMap((moment): readonly ThreadMoment[] => {
    const { seq, at_ms, actor, things, money, written } = moment;
    if (seq > upTo || !things.includes(artifact)) return [];
    const own = money.filter((each) => each.artifact === artifact && each.seq <= upTo);
    for (const { amount, other, minted: isNew } of own) {
      if (isNew) minted += amount;
      else if (amount < 0 && other !== null) earned -= amount;
    }
    const amount = own.reduce((sum, each) => sum + each.amount, 0);
    const wrote = written.some((write) => write.artifact === artifact && write.content);
    return [{ seq, at_ms, actor, amount, wrote }];
  });
  const shown = moments.slice(Math.max(0, moments.length - MOMENTS_MAX));
  return { artifact, earned, minted, total: moments.length, moments: shown };
};
