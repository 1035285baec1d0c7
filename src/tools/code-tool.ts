import { z } from "zod";
import { cutText, type Json, type JsonObject, type Sleep } from "../kernel/index.ts";
import { fenceless, framed } from "../mind/index.ts";
import { RUN_CODE_NAME, type ScriptLanguage } from "../model/index.ts";
import { RESULT_CHARS_MAX } from "./conversation/conversation.ts";
import {
  type Tool,
  type ToolAnswer,
  type ToolMoment,
  type ToolOutcome,
  tool,
} from "./tool/tool.ts";
import { AFTER_ACTION, AFTER_END, ONE_ACTION } from "./turn.ts";
import type { Files } from "./workspace/files.ts";

/** Room for what stands around the output of a script, so that no fence is cut off. */
const AROUND_CHARS = 1_000;
const OUTPUT_CHARS_MAX = RESULT_CHARS_MAX - AROUND_CHARS;

/** What the calls of a script have led to so far. */
type Done = {
  files: Files | null;
  acted: { readonly name: string; readonly action: JsonObject } | null;
  ended: { readonly text: string; readonly sleep: Sleep | null } | null;
};

type Functions = ReadonlyMap<string, Tool<ToolOutcome>>;

/**
 * A tool that runs a script in `language`, which calls `functions`. Calls that answer at once stay
 * done if the script fails later. The first call that acts in the world is the action of the step.
 */
export const runCode = (functions: Functions, language: ScriptLanguage): Tool =>
  tool({
    name: RUN_CODE_NAME,
    description: "Runs a script, which can call your tools as functions.",
    input: z.strictObject({
      code: z.string(),
      blocks: z.int().optional().describe("how many scripts the reply had; the first one runs"),
    }),
    run: async ({ code, blocks = 1 }, moment) => {
      const done: Done = { files: null, acted: null, ended: null };
      const run = language === "python" ? moment.runPython : moment.runCode;
      const ran = await run({
        code,
        functions: [...functions.keys()],
        call: (name, args) => answerOf({ name, args }, { functions, moment, done }),
      });
      const value = ran.ok ? valueText(ran.value) : "";
      const problem = ran.ok ? "" : `The script failed: ${ran.problem}`;
      const shown = [ran.log, value, problem].filter((part) => part !== "").join("\n");
      const notes = [
        ...(blocks > 1 ? [`Only the first of your ${blocks} scripts was run.`] : []),
        ...(ran.ok ? [] : ["What the script did before it failed stays done."]),
        ...(done.acted === null ? [] : [`${done.acted.name} is the action of this step.`]),
        ...(done.ended === null ? [] : [done.ended.text]),
      ];
      const output =
        shown === "" ? "(it printed and returned nothing)" : framed(cut(fenceless(shown)));
      const text = [`Result from script execution:\n\n${output}`, ...notes].join("\n");
      return outcomeFor(done, { text, isError: !ran.ok });
    },
  });

const outcomeFor = (
  { files, acted, ended }: Done,
  output: { readonly text: string; readonly isError: boolean },
): ToolOutcome => {
  const changed = files === null ? {} : { files };
  if (acted !== null) return { kind: "acts", action: acted.action, output, ...changed };
  const { text, isError } = output;
  if (ended !== null) return { kind: "ends", text, sleep: ended.sleep, ...changed };
  return { kind: isError ? "failed" : "answered", text, ...changed };
};

const valueText = (value: Json): string => {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
};

const cut = (text: string): string =>
  text.length <= OUTPUT_CHARS_MAX ? text : `${cutText(text, OUTPUT_CHARS_MAX)}\n[truncated]`;

type Calling = { readonly functions: Functions; readonly moment: ToolMoment; readonly done: Done };

const refused = (problem: string): ToolAnswer => ({ ok: false, problem });

/** Answers a call of a script. The action of the step is only noted: its result comes later. */
const answerOf = (
  { name, args }: { readonly name: string; readonly args: Json },
  { functions, moment, done }: Calling,
): ToolAnswer => {
  const called = functions.get(name);
  if (called === undefined) return refused(`there is no function ${cutText(name, 100)}`);
  if (done.ended !== null) return refused(AFTER_END);
  const outcome = called.call(args, { ...moment, files: done.files ?? moment.files });
  switch (outcome.kind) {
    case "answered":
      done.files = outcome.files ?? done.files;
      return { ok: true, value: outcome.data ?? outcome.text };
    case "failed":
      return refused(cutText(outcome.data ?? outcome.text, RESULT_CHARS_MAX));
    case "acts":
      if (done.acted !== null) return refused(ONE_ACTION);
      done.acted = { name, action: outcome.action };
      return { ok: true, value: null };
    case "ends":
      if (done.acted !== null) return refused(AFTER_ACTION);
      done.ended = { text: outcome.text, sleep: outcome.sleep };
      return { ok: true, value: null };
  }
};
