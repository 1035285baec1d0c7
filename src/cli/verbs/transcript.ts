import { type TranscriptMessage, transcriptOf } from "../../read/index.ts";
import { meantOrAll } from "../../text/index.ts";
import { restore } from "../../world/index.ts";
import { CliError } from "../core/exit.ts";
import { addOutFlags, addRunArgument, type OutFlags } from "../core/flags.ts";
import type { Output } from "../core/output.ts";
import { type Register, withExamples } from "../core/shell.ts";
import { readFrom } from "../run/open-run.ts";

export const register: Register = (command, shell) => {
  addOutFlags(
    addRunArgument(command).argument("<agent>", "an agent with tools"),
    "print one JSON document per message",
  );
  withExamples(command, [
    "sim transcript latest toolsmith",
    "sim transcript latest toolsmith --json > toolsmith.jsonl",
  ]);
  command.action((run: string, agent: string, { out, json }: OutFlags) => {
    const { messages, ids } = readFrom(run, out, (journal) => ({
      messages: transcriptOf(journal, agent),
      ids: [...restore(journal).state.agents.keys()],
    }));
    if (!ids.some((id) => id === agent)) {
      throw new CliError(`there is no agent "${agent}" in this run; ${meantOrAll(agent, ids)}`);
    }
    for (const message of messages) {
      if (json === true) shell.output.jsonLine(JSON.stringify(message));
      else print(shell.output, message);
    }
    if (messages.length === 0) {
      shell.output.note(`${agent} has no conversation: only agents with tools have one`);
    }
  });
};

const print = (output: Output, message: TranscriptMessage): void => {
  const { at_ms, session, role, plugin, content } = message;
  const { tool_calls: calls = [], is_error: isError } = message;
  const from = plugin === undefined ? "" : ` (${plugin})`;
  const mark = isError === true ? " (failed)" : from;
  const where = session === "main" ? "" : `${session}  `;
  const who = `${(at_ms / 1_000).toFixed(3)} s  ${where}${role}${mark}`;
  output.line(output.paint("bold", who));
  if (content !== "") output.block(content);
  for (const { name, args } of calls) output.block(`-> ${name} ${JSON.stringify(args)}`);
  output.line("");
};
