import type { Rule, Violation } from "./rule.ts";

/** Old-fashioned words at which a reader stumbles, and the plain words for them. */
const WORDS: readonly (readonly [pattern: RegExp, plain: string])[] = [
  [/\bwho(m|s)?(so)?ever\b/i, "name the actor: the caller, any agent, anyone who"],
  [/\bwhichsoever\b|\bwhatsoever\b/i, "any"],
  [/\banew\b|\bafresh\b/i, "again, or a fresh"],
  [/\b(there(by|in|of|upon|to|from)|here(by|in|of|to|upon)|where(in|of))\b/i, "by this, in it"],
  [/\b(henceforth|hitherto|[wt]hence|[wt]hither)\b/i, "by this, in it, from here on"],
  [/\bof (its|their|his|her) own accord\b/i, "by itself"],
  [
    /\b(whilst|amongst|albeit|forthwith|thereafter|withal|needs must)\b/i,
    "while, among, although, at once",
  ],
  [/^(<{7}|>{7}) /, "one text: this merge is not finished"],
];

/** These name the words in order to ban them. */
const NAMED_HERE = new Set(["test/tidy/words.ts", "test/tidy/rules.test.ts"]);

const found = (line: string): readonly Omit<Violation, "path" | "line">[] =>
  WORDS.flatMap(([pattern, plain]) => {
    const word = pattern.exec(line)?.[0];
    return word === undefined ? [] : [{ message: `"${word}"; write: ${plain}` }];
  });

/** In code, comments, strings, documents and configuration alike. */
export const wordRule: Rule = {
  name: "words are plain",
  check: ({ files, documents }) =>
    [...files, ...documents]
      .filter(({ path }) => !NAMED_HERE.has(path))
      .flatMap(({ path, text }) =>
        text
          .split("\n")
          .flatMap((line, at) => found(line).map((each) => ({ path, line: at + 1, ...each }))),
      ),
};
