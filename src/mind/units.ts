/** Run time as agents are told it. */
export const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** Model money as agents and people are told it. */
export const usd = (micros: number): string => `$${(micros / 1_000_000).toFixed(4)}`;
