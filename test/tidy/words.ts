import type { Rule, Violation } from "./rule.ts";

/** "is no longer" and "is no reason" are plain English; "is no order" is not. */
const AFTER_NO =
  "longer|more than|fewer|less|later|earlier|greater|larger|one|way|room|need|reason|different";

/** Old-fashioned or vague wording and the plain words for it. */
const WORDS: readonly (readonly [pattern: RegExp, plain: string])[] = [
  [/\bwho(m|s)?(so)?ever\b/i, "name the actor: the caller, any agent, anyone who"],
  [/\bwhichsoever\b|\bwhatsoever\b/i, "any"],
  [/\banew\b|\bafresh\b/i, "again, or a fresh"],
  [
    /\b(there(by|in|of|upon|to|from)|here(by|in|of|to|upon)|where(in|of))\b/i,
    "by this, in it, of which",
  ],
  [/\b(henceforth|hitherto|[wt]hence|[wt]hither)\b/i, "by this, in it, from here on…"],
  [/\bnobody\b/i, "no one, no agent, no caller; or turn the sentence around"],
  [/\bsomebody\b/i, "someone, an agent, another process"],
  [/\banybody\b/i, "anyone"],
  [/\beverybody\b/i, "everyone, all agents"],
  [/\b(go|goes|going|gone|went) on\b/i, "continue, resume, happen"],
  [/\bof (its|their|his|her) own accord\b/i, "by itself"],
  [
    new RegExp(`(?<!\\bthere )\\b(is|are|was|were) (no|none)\\b (?!(${AFTER_NO})\\b)`, "i"),
    "is not a …, there is no …",
  ],
  [/\bshall\b/i, "will, must, should"],
  [/\bought\b|\bnought\b|\baught\b/i, "should; nothing"],
  [/\bupon\b/i, "on"],
  [
    /\bwhilst\b|\bamongst\b|\blest\b|\balbeit\b|\bsave for\b/i,
    "while, among, so that … not, although, except",
  ],
  [
    /\bso (much|many) (a|an|are|is|at|as|of|at once|each|per)\b/i,
    "give the number a name: at most N, N per window",
  ],
  [/\bat the (most|least|worst|best|latest|earliest)\b/i, "at most, at least, at worst…"],
  [/\bmend(s|ed|ing)?\b/i, "fix, repair"],
  [/\b(kin|akin|dowry|dowries|beget|begot)\b/i, "family, related, endowment"],
  [/\bdeeds?\b|\berrands?\b/i, "action; consumption"],
  [/\bwish(es|ed)?\b/i, "query parameters; wants"],
  [/\btroubles?\b/i, "error, problem, failure"],
  [/\bwhat it is about\b|\bwhat (it|this|that) is of\b/i, "say the noun"],
  [/\bthat there (is|are|was|were)\b/i, "existing"],
  [/\bbeside(?!s)\b/i, "next to, with, in addition to, apart from"],
  [/\b(lays?|laid|lays) (bare|hold|open)\b/i, "shows"],
  [/\bnot (yet )?to be had\b|\bto be had\b/i, "available"],
  [/\b(comes?|came|coming) (upon|about|to pass)\b/i, "finds, happens"],
  [/\bmust needs\b|\bas yet\b|\bere\b/i, "plain form"],
  [/\bfor ever\b/i, "forever"],
  [/\bthereafter\b/i, "after that"],
  [/\bforthwith\b|\bstraightaway\b/i, "at once"],
  [/\bwithal\b|\bin the midst\b|\bmidst\b/i, "in the middle of"],
  [/\bhearken|heed(s|ed)?\b/i, "respects, follows"],
  [/\bcranks?\b/i, "invocation"],
  [/\bfuse[ds]?\b/i, "timeout, timed out"],
  [/\bchronicle[ds]?\b/i, "public log"],
  [/\bledger-?keepers?\b/i, "journal sink"],
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
