import { isList, isObject, type Json } from "../../kernel/index.ts";
import { type ChatBlock, callsOf, type ToolCall, textsOf } from "../port/chat.ts";

/** The tool that runs a script. */
export const RUN_CODE_NAME = "run_code";

export const SCRIPT_LANGUAGES = ["javascript", "python"] as const;
export type ScriptLanguage = (typeof SCRIPT_LANGUAGES)[number];

const OPEN = "<execution-code>";
const CLOSE = "</execution-code>";

/** What the model said, as text and at most one call that runs its script. */
export const blocksOfScript = (said: readonly ChatBlock[]): readonly ChatBlock[] => {
  const { text, scripts } = readScripts(textsOf(said).join(""));
  const reasoning = said.filter(({ type }) => type === "reasoning");
  const [code] = scripts;
  const shown: readonly ChatBlock[] = text === "" ? [] : [{ type: "text", text }];
  if (code === undefined) return [...reasoning, ...shown];
  const args = scripts.length === 1 ? { code } : { code, blocks: scripts.length };
  return [...reasoning, ...shown, { type: "tool_call", id: "", name: RUN_CODE_NAME, args }];
};

/** The blocks as the model would have written them. Leaves out reasoning. */
export const scriptOfBlocks = (
  blocks: readonly ChatBlock[],
  language: ScriptLanguage = "javascript",
): string => {
  const calls = callsOf(blocks);
  const script = calls.map((call) => codeOf(call, language)).join("\n");
  return [...textsOf(blocks), ...(calls.length === 0 ? [] : [`${OPEN}\n${script}\n${CLOSE}`])].join(
    "\n",
  );
};

/** Calls of other tools are from a time in which the agent called its tools in another way. */
const codeOf = ({ name, args }: ToolCall, language: ScriptLanguage): string => {
  if (name === RUN_CODE_NAME && isObject(args) && typeof args.code === "string") return args.code;
  const given = language === "python" ? `**${pythonOf(args)}` : JSON.stringify(args);
  return `print(${name}(${given}))`;
};

/** Plain data in Python, which writes texts and numbers as JSON does. */
const pythonOf = (value: Json): string => {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (isList(value)) return `[${value.map(pythonOf).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const items = Object.entries(value).map(([key, item]) => {
    return `${JSON.stringify(key)}: ${pythonOf(item)}`;
  });
  return `{${items.join(", ")}}`;
};

const BLOCK = /<execution-code(?![\w-])[^<>]*>?([\s\S]*?)(?:<\/execution-code\s*>|$)/gi;
const STRAY_CLOSE = /<\/execution-code(?![\w-])[^<>]*>?/gi;
const FENCED = /^\s*```\w*\n([\s\S]*?)\n?```\s*$/;
/** What stays of a fence around a block. */
const EMPTY_FENCE = /```[\w-]*\s*\n\s*```/g;

/** The scripts in a reply, and the text around them. A script without an end takes the rest. */
const readScripts = (reply: string) => {
  const scripts = [...reply.matchAll(BLOCK)].map(([, inner = ""]) => {
    const code = FENCED.exec(inner)?.[1] ?? inner;
    return code.replace(/^[^\S\n]*\n/, "").trimEnd();
  });
  const around = reply.replaceAll(BLOCK, "\n").replaceAll(STRAY_CLOSE, " ");
  const text = around.replaceAll(EMPTY_FENCE, "").trim();
  return { text, scripts: scripts.filter((code) => code.trim() !== "") };
};
