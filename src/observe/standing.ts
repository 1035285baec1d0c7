/** The word for an agent that ran out of model money for so long that it stopped for good. */
export const BANKRUPT = "bankrupt";

/**
 * How it stands with an agent, in one word, the same wherever it is told. The state of one that has
 * gone bankrupt is `stopped` like that of one whose mind was done: only the reason, which the
 * kernel words (`evolve-agent.ts`), tells them apart.
 */
export const standingOf = (agent: { readonly state: string; readonly reason: string }): string =>
  agent.state === "stopped" && agent.reason.startsWith(`${BANKRUPT}:`) ? BANKRUPT : agent.state;

/** How many are of each standing, those that go on first: `8 active, 5 bankrupt`. */
export const standingsText = (standings: readonly string[]): string => {
  const counts = new Map<string, number>([["active", 0]]);
  for (const standing of standings) {
    const word = ACTIVE.has(standing) ? "active" : standing;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(", ");
};

const ACTIVE: ReadonlySet<string> = new Set(["running", "sleeping"]);
