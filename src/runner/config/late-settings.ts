import type { Config } from "./config-schema.ts";
import { dotted } from "./finding.ts";
import { leavesOf } from "./layer.ts";
import { textAt } from "./value-text.ts";

/** What a setting bears on that is read only when something begins. */
type Beginning = "agent" | "world" | "persona";

/**
 * Settings that are read once, each with all below it: what an agent begins with that a person puts
 * into a world, what the world begins with, and which personas there are. All others are read
 * whenever they matter, and so hold for those who are there already as well.
 */
const READ_ONCE: readonly (readonly [key: string, by: Beginning])[] = [
  ["scrip.starting_amount", "agent"],
  ["resources.stock", "agent"],
  ["resources.windows", "agent"],
  ["genesis.disk_bytes", "world"],
  ["agents", "persona"],
];

const SAYS: { readonly [By in Beginning]: string } = {
  agent: "is what agents begin with that --agents brings",
  world: "is what a world begins with",
  persona: "is for the personas of --agents",
};

/**
 * Warnings about what is set otherwise in a world that goes on and does nothing there for those who
 * are in it already, a line each. `brings`: personas come into it, so that it matters which.
 */
export const lateSettings = (
  before: Config,
  after: Config,
  { brings }: { readonly brings: boolean },
): readonly string[] => {
  const changed = leavesOf(after)
    .filter((path) => textAt(before, path) !== textAt(after, path))
    .map(dotted);
  return changed.flatMap((key) => {
    const by = READ_ONCE.find(([once]) => key === once || key.startsWith(`${once}.`))?.[1];
    if (by === undefined || (by === "persona" && brings)) return [];
    return [`${key} ${SAYS[by]}: it changes nothing for those who are there already`];
  });
};
