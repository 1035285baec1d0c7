import { isMap, parseDocument } from "yaml";
import type { Files } from "./files.ts";

/** A skill of an agent: the file at `path` says how to do what `description` names. */
type Skill = { readonly name: string; readonly description: string; readonly path: string };

/** A file of a skill that cannot be used, with the reason and the cure. */
type SkillProblem = { readonly path: string; readonly problem: string };

type Skills = { readonly skills: readonly Skill[]; readonly problems: readonly SkillProblem[] };

const PATH = /^skills\/[^/]+\/SKILL\.md$/;
const NAME = /^[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*$/;
const NAME_CHARS_MAX = 64;
const DESCRIPTION_CHARS_MAX = 1_024;
const FRONT_MATTER_CHARS_MAX = 2_000;
const NESTED_MAX = 50;

/** The skills in `skills/NAME/SKILL.md`, sorted by path. */
export const skillsIn = (files: Files): Skills => {
  const read = [...files]
    .filter(([path]) => PATH.test(path))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, text]) => skillIn(path, text));
  return {
    skills: read.flatMap((each) => ("problem" in each ? [] : [each])),
    problems: read.flatMap((each) => ("problem" in each ? [each] : [])),
  };
};

const skillIn = (path: string, text: string): Skill | SkillProblem => {
  const [, yaml] = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const wrong = (problem: string): SkillProblem => ({ path, problem });
  if (yaml === undefined) {
    return wrong("begin it with front matter: ---, name: …, description: …, ---");
  }
  if (yaml.length > FRONT_MATTER_CHARS_MAX) {
    return wrong(`its front matter has more than ${FRONT_MATTER_CHARS_MAX} characters; shorten it`);
  }
  const fields = fieldsIn(yaml);
  if (typeof fields === "string") return wrong(fields);
  const { name, description } = fields;
  if (typeof name !== "string" || name.length > NAME_CHARS_MAX || !NAME.test(name)) {
    return wrong(
      `its name must have 1 to ${NAME_CHARS_MAX} letters and digits, with single - between them`,
    );
  }
  const about = typeof description === "string" ? description.trim() : "";
  return about !== "" && about.length <= DESCRIPTION_CHARS_MAX
    ? { name, description: about, path }
    : wrong(`its description must be a text of 1 to ${DESCRIPTION_CHARS_MAX} characters`);
};

type Fields = { readonly name: unknown; readonly description: unknown };

/** The fields of front matter, or why there are none. Nested values and aliases are not read. */
const fieldsIn = (yaml: string): Fields | string => {
  // The parser is recursive, and an agent wrote the text.
  if ((yaml.match(/[[{?]|- /g) ?? []).length > NESTED_MAX) {
    return "its front matter is nested too deeply; keep name and description";
  }
  // The parser needs O(n²) time to check that keys are unique.
  const document = parseDocument(yaml, {
    prettyErrors: false,
    stringKeys: true,
    uniqueKeys: false,
  });
  const [error] = document.errors;
  if (error !== undefined) return `its front matter is not YAML: ${error.message}`;
  if (!isMap(document.contents)) return "its front matter must have name and description";
  return { name: document.get("name"), description: document.get("description") };
};
