import { isObject, parseAction } from "../../kernel/index.ts";
import type { AgentConfig } from "../../mind/index.ts";
import type { Problem, YamlFile } from "../config/index.ts";

/** No world takes data that is nested deeper; one that takes less says so itself. */
const DEPTH_MAX = 200;

type Script = NonNullable<AgentConfig["script"]>;
type Path = readonly (string | number)[];

/**
 * The actions of a script that no world will carry out, each at its place with what would be right.
 * They are no faults: a confederate may be there to do what is wrong.
 */
export const vainActions = (script: Script, yaml: YamlFile): readonly Problem[] =>
  vainIn(script, { yaml, above: ["script"] });

const vainIn = (
  script: Script,
  { yaml, above }: { readonly yaml: YamlFile; readonly above: Path },
): readonly Problem[] =>
  script.flatMap((entry, at) => {
    const path = [...above, at];
    if ("do" in entry) return vainIn([...entry.do], { yaml, above: [...path, "do"] });
    if ("wait" in entry || "sleep" in entry) return [];
    const parsed = parseAction(entry, DEPTH_MAX);
    if (parsed.kind !== "refused") return [];
    const [kind = "", fields] = Object.entries(entry)[0] ?? [];
    const { message } = parsed.refusal;
    const [field = ""] = /^[a-z_]+/.exec(message) ?? [];
    const named = isObject(fields) && field in fields ? [field] : [];
    const place = yaml.placeOf({ path: [...path, kind, ...named], at: "value" });
    return [{ ...place, message: `the world will refuse this ${kind}: ${message}`, hint: null }];
  });
