import type { Command } from "commander";
import { addAgentsFlag } from "../core/flags.ts";
import { type Register, withExamples } from "../core/shell.ts";
import { registerNew } from "./agents/new.ts";
import { registerList, registerValidate } from "./agents/personas.ts";
import { registerPreview } from "./agents/preview.ts";

export const register: Register = (command, shell) => {
  withExamples(command, ["sim agents list", "sim agents new dora && sim agents validate"]);
  const sub = (name: string, summary: string): Command =>
    addAgentsFlag(
      command.command(name).summary(summary).description(summary),
      "agents, else the shipped ones",
    );
  registerList(sub("list", "list the personas"), shell);
  registerValidate(sub("validate", "check every agent.yaml"), shell);
  registerPreview(sub("preview", "print the prompt of an agent on a language model"), shell);
  registerNew(sub("new", "write a commented agent.yaml for a new persona"), shell);
};
