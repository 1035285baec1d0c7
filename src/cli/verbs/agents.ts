import type { Command } from "commander";
import { type Register, withExamples } from "../shell.ts";
import { registerList } from "./agents/list.ts";
import { registerNew } from "./agents/new.ts";
import { registerPreview } from "./agents/preview.ts";
import { registerValidate } from "./agents/validate.ts";

/** `sim agents`: for those who write personas. */
export const register: Register = (command, shell) => {
  withExamples(command, ["sim agents list", "sim agents new dora && sim agents validate"]);
  const sub = (name: string, summary: string): Command =>
    command
      .command(name)
      .summary(summary)
      .description(summary)
      .option("--agents <dir>", "the folder of the personas (default: agents/, else the shipped)");
  registerList(sub("list", "who can take part in a run"), shell);
  registerValidate(sub("validate", "check every agent.yaml"), shell);
  registerPreview(sub("preview", "the prompts with which an agent on a model would begin"), shell);
  registerNew(sub("new", "write a commented agent.yaml for a new persona"), shell);
};
