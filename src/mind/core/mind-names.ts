/**
 * What can be said of a mind by its name alone. Histories need no more, and published pages, which
 * have histories, then need no mind.
 */
const MINDS_WITH_TURNS: ReadonlySet<unknown> = new Set(["tools", "code"]);

/** The minds of agents that clients move: people (`seat`), or programs of the host (`cli`). */
export const PLAYED_MINDS = ["seat", "cli"] as const;

/** Whether agents with this mind work in turns, and keep a conversation as their memory. */
export const hasTurns = (mind: unknown): boolean => MINDS_WITH_TURNS.has(mind);

/** Whether clients move agents with this mind. */
export const isPlayed = (mind: unknown): boolean => PLAYED_MINDS.some((name) => name === mind);
