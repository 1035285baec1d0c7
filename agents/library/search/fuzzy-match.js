/* ---
title: Fuzzy match
topic: search
takes: words
gives: words
worth: 5
description: Finds the names that contain the letters of a query in order, as a command palette
  does.
methods:
  - name: run
    description: Matches, best first. Letters that follow each other or begin a word count for more.
    input_schema:
      type: object
      properties:
        words: { type: array, items: { type: string }, description: The names to choose from. }
        query: { type: string, description: "A few letters, such as rtf." }
      required: [words, query]
    output_schema: { type: array, items: { type: string } }
    examples:
      - args: [[word_frequency, read_from_file, waterfall, reformat], rff]
        result: [read_from_file]
      - args: [[supply chain, price chart, sprocket], pr]
        result: [price chart, sprocket]
      - args: [[a, b], ""]
        result: [a, b]
--- */
function run(words, query) {
  if (!Array.isArray(words) || !words.every((word) => typeof word === "string")) {
    kernel.fail(
      "bad_input",
      "words must be a list of strings, such as ['price chart', 'sprocket']",
    );
  }
  if (typeof query !== "string") {
    kernel.fail("bad_input", "query must be a string of a few letters, such as 'pr'");
  }
  const letters = query.toLowerCase().replace(/\s/g, "");
  return words
    .map((word, place) => ({ word, place, score: _score(word.toLowerCase(), letters) }))
    .filter(({ score }) => score >= 0)
    .sort((a, b) => b.score - a.score || a.word.length - b.word.length || a.place - b.place)
    .map(({ word }) => word);
}

// 1 for a letter found, 2 more where a word begins or right after the letter before; -1: no match.
function _score(word, letters) {
  let score = 0;
  let last = -1;
  for (const letter of letters) {
    const at = word.indexOf(letter, last + 1);
    if (at === -1) {
      return -1;
    }
    const begins = at === 0 || /[^\p{L}\p{N}]/u.test(word[at - 1]);
    const follows = at === last + 1 && last >= 0;
    score += begins || follows ? 3 : 1;
    last = at;
  }
  return score;
}
