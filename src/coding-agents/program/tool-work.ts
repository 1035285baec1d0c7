import { isList, isObject, type Json } from "../../kernel/index.ts";
import type { Segment } from "./stream/segment.ts";

/** What the tools of the known coding agents do with files. Others are not counted. */
const READS = new Set(
  (
    "Read Glob Grep LS NotebookRead read_file read_many_files list_directory glob grep_search " +
    "search_file_content read_artifact"
  ).split(" "),
);
const WRITES = new Set(
  "Edit MultiEdit Write NotebookEdit replace write_file file_change write_artifact".split(" "),
);

/** Whether a tool reads, writes, or does something else (null). */
export const workOf = (tool: string): "read" | "write" | null =>
  READS.has(tool) ? "read" : WRITES.has(tool) ? "write" : null;

const PATH_KEYS = ["file_path", "notebook_path", "absolute_path", "path"];

/** The paths of files that tools have named in their inputs, each once, in order. */
export const filesTouched = (segments: readonly Segment[]): readonly string[] => [
  ...new Set(segments.flatMap((each) => (each.kind === "tool_use" ? pathsIn(each.input) : []))),
];

const pathsIn = (input: Json): readonly string[] => {
  if (!isObject(input)) return [];
  const own = PATH_KEYS.flatMap((key) => {
    const path = input[key];
    return typeof path === "string" && path.trim() !== "" ? [path] : [];
  });
  const { changes } = input;
  return changes !== undefined && isList(changes) ? [...own, ...changes.flatMap(pathsIn)] : own;
};
