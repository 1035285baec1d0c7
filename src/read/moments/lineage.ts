import type { Narrative } from "../../figures/index.ts";
import type { JournalReader } from "../../world/index.ts";
import { thoughtBefore, withCalls } from "../trail/thought-trail.ts";
import type { AgentHistories } from "./agent-histories.ts";
import type { AgentMoment } from "./agent-moment.ts";

/** A moment that led to an artifact, and how. */
export type Origin = { readonly moment: AgentMoment; readonly why: string };

/**
 * The moments up to event `upTo` that led to an artifact, oldest first, each with the first reason that applies:
 *
 * 1. It wrote the artifact: created it, or made a version of it.
 * 2. It asked for it: the message that began such a moment, or the task that the artifact solved.
 * 3. It was earlier in the same turn.
 * 4. A memory of it was in the prompt of such a moment.
 * 5. The agent that wrote the artifact used one that the artifact depends on, before that.
 * 6. It led to an artifact that the artifact depends on, by the same rules.
 */
export const originsOf = (
  journal: JournalReader,
  histories: AgentHistories,
  artifact: string,
  upTo: number,
) => {
  const found = new Map<number, Origin>();
  const moments = histories.all.filter(({ seq }) => seq <= upTo);
  const visited = new Set<string>();
  const open = [artifact];
  for (let [next] = open; next !== undefined; [next] = open) {
    open.shift();
    if (visited.has(next)) continue;
    visited.add(next);
    const wrote = versionsOf(moments, next);
    const via = next === artifact ? "" : `needs ${next}: `;
    const parts = new Set(wrote.flatMap(({ written }) => dependenciesOf(written, next)));
    const all = [
      ...wrote.map((moment) => ({ moment, why: versionText(moment, next) })),
      ...wrote.flatMap((moment) => askedBefore(moments, moment)),
      ...wrote.flatMap((moment) => earlierInTurn(histories, moment)),
      ...remembered(journal, histories, wrote),
      ...(wrote.length === 0 ? [] : usedBefore(moments, wrote, parts)),
    ];
    for (const { moment, why } of all) {
      if (!found.has(moment.seq)) found.set(moment.seq, { moment, why: `${via}${why}` });
    }
    open.push(...parts);
  }
  return [...found.values()].sort((a, b) => a.moment.seq - b.moment.seq);
};

/** The moments that created an artifact or changed its code or content. */
const versionsOf = (moments: readonly AgentMoment[], artifact: string): readonly AgentMoment[] =>
  moments.filter(({ written }) =>
    written.some((each) => each.artifact === artifact && each.content),
  );

const dependenciesOf = (written: AgentMoment["written"], artifact: string): readonly string[] =>
  written.flatMap((each) => (each.artifact === artifact ? each.depends_on : []));

const versionText = ({ written }: AgentMoment, artifact: string): string => {
  const write = written.findLast((each) => each.artifact === artifact && each.content);
  return write === undefined || write.created ? `created ${artifact}` : `version ${write.version}`;
};

const isSame = (one: Narrative, other: Narrative): boolean =>
  one.kind === other.kind && one.id === other.id;

/** The last earlier moments of others in the same threads, and those that posted its tasks. */
const askedBefore = (moments: readonly AgentMoment[], wrote: AgentMoment): readonly Origin[] => {
  const asks = wrote.type === "CONVERSATION" ? [] : wrote.narratives;
  return asks.flatMap((narrative) => {
    const asked = moments.findLast(
      ({ seq, actor, narratives }) =>
        seq < wrote.seq && actor !== wrote.actor && narratives.some((n) => isSame(n, narrative)),
    );
    return asked === undefined
      ? []
      : [{ moment: asked, why: `asked in ${narrative.kind} ${narrative.id}` }];
  });
};

/** The moments of a turn before one of its moments. Agents without turns have none. */
const earlierInTurn = (histories: AgentHistories, wrote: AgentMoment): readonly Origin[] => {
  const hasTurns = histories.all.some(
    ({ actor, type }) => actor === wrote.actor && type === "COMPLETION",
  );
  const found: Origin[] = [];
  let before = hasTurns && wrote.previous !== null ? histories.at(wrote.previous) : null;
  while (before !== null && before.type !== "COMPLETION") {
    found.push({ moment: before, why: "earlier in the turn" });
    before = before.previous === null ? null : histories.at(before.previous);
  }
  return found;
};

/** The moments whose memories were in the prompts of moments, as `sim explain` shows them. */
const remembered = (
  journal: JournalReader,
  histories: AgentHistories,
  wrote: readonly AgentMoment[],
): readonly Origin[] => {
  const thoughts = wrote
    .map(({ actor, seq }) => thoughtBefore(journal, actor, seq))
    .filter((thought) => thought !== null);
  if (thoughts.length === 0) return [];
  return [...withCalls(journal, thoughts).values()].flatMap(({ agent, memories }) =>
    memories.flatMap(({ number, seq }) => {
      const moment = histories.all.findLast((each) => each.seq <= seq && each.actor === agent);
      return moment === undefined ? [] : [{ moment, why: `remembered as memory ${number}` }];
    }),
  );
};

/** The earlier moments in which an author used the artifacts that its own depends on. */
const usedBefore = (
  moments: readonly AgentMoment[],
  wrote: readonly AgentMoment[],
  parts: ReadonlySet<string>,
): readonly Origin[] => {
  const last = new Map(wrote.map(({ actor, seq }) => [actor, seq]));
  return moments.flatMap((moment) => {
    const until = last.get(moment.actor);
    const used = moment.things.find((thing) => parts.has(thing));
    if (until === undefined || moment.seq >= until || used === undefined) return [];
    return [{ moment, why: `used ${used}` }];
  });
};

/** An artifact through the lives of all agents. */
export type ArtifactThread = ReturnType<typeof artifactThread>;

/** The moments that touched an artifact up to event `upTo`, oldest first. */
export const artifactThread = (all: readonly AgentMoment[], artifact: string, upTo: number) => {
  let [earned, minted] = [0, 0];
  const moments = all.flatMap((moment) => {
    const { seq, at_ms, actor, things, money, written } = moment;
    if (seq > upTo || !things.includes(artifact)) return [];
    const own = money.filter((each) => each.artifact === artifact && each.seq <= upTo);
    for (const { amount, other, minted: isNew } of own) {
      if (isNew) minted += amount;
      else if (amount < 0 && other !== null) earned -= amount;
    }
    /** The scrip that the moment moved for the artifact. Positive if the actor received it. */
    const amount = own.reduce((sum, each) => sum + each.amount, 0);
    const wrote = written.some((write) => write.artifact === artifact && write.content);
    return [{ seq, at_ms, actor, amount, wrote }];
  });
  const shown = moments.slice(Math.max(0, moments.length - 300));
  return {
    artifact,
    /** What others paid for it, and what the mint paid. */
    earned,
    minted,
    /** The number of all moments. `moments` has only the latest. */
    total: moments.length,
    moments: shown,
  };
};
