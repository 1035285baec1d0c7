/**
 * `const f = () => ...` at the top of a script makes a function that no object lists. These are the
 * names that could be such functions; whether one is, only the engine can say.
 */
export const lexicalCandidates = (code: string): readonly string[] => {
  const names = new Set<string>();
  for (const match of code.matchAll(DECLARATION)) {
    const name = match[1];
    if (name !== undefined && !RESERVED.has(name)) names.add(name);
    if (names.size === CANDIDATES_MAX) break;
  }
  return [...names];
};

/** A script whose value lists what the candidates are in the script's own scope. */
export const candidatesScript = (names: readonly string[]): string =>
  `[${names.map((name) => `typeof ${name}==="undefined"?0:${name}`).join(",")}]`;

const DECLARATION =
  /\b(?:const|let)\s+([A-Za-z$][\w$]*)\s*=\s*(?:async\b|function\b|\(|[A-Za-z_$][\w$]*\s*=>)/g;
const CANDIDATES_MAX = 100;
const RESERVED = new Set(
  (
    "await break case catch class const continue debugger default delete do else enum export " +
    "extends false finally for function if implements import in instanceof interface let new " +
    "null package private protected public return static super switch this throw true try typeof " +
    "var void while with yield arguments eval"
  ).split(" "),
);
