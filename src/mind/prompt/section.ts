import type { SectionName } from "../settings.ts";
import type { PromptSource } from "./prompt.ts";

/** A named part of a prompt: a pure function of what the agent sees, with its share of the room. */
export type Section = {
  readonly name: SectionName;
  readonly title: string;
  /** Lower ones are cut first when the prompt is too long. */
  readonly priority: number;
  readonly tokensMax: number;
  /** What is left of one that is too long: its first lines, or its last. */
  readonly keeps: "start" | "end";
  /** True where others' words may stand in it: it is fenced as data. */
  readonly foreign: boolean;
  /** What it says, line by line; nothing leaves it out. */
  readonly lines: (source: PromptSource) => readonly string[];
};
