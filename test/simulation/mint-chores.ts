import { closesAt, worldRow } from "../../src/kernel/index.ts";

import type { Dice } from "../../src/mind/policy/dice.ts";
import type { World } from "../../src/world/index.ts";

/** Ends an auction whose time has come, and scores winners sooner or later, or fails to. */
export const keepMint = (world: World, dice: Dice, at_ms: number): void => {
  const { auctions, physics } = worldRow(world.state);
  if (at_ms >= closesAt(physics.mint, auctions)) world.submit({ kind: "resolve_auction", at_ms });
  const won = [...world.state.submissions.rows()].filter(({ stage }) => stage === "won");
  for (const { id: submission } of won.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    if (dice.chance(0.9)) continue;
    const reason = "it was looked at";
    if (dice.chance(0.2)) world.submit({ kind: "fail_scoring", at_ms, submission, reason });
    else {
      const score = dice.pick(101);
      world.submit({ kind: "score_artifact", at_ms, submission, score, reason, memo: null });
    }
  }
};
