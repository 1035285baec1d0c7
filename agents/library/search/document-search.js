/* ---
title: Search documents
topic: search
takes: words
gives: table
worth: 9
description: Ranks short documents by how well they answer a query, rare words weighing more.
methods:
  - name: run
    description: Matching documents by their place in the list, best first, scored by tf-idf.
    input_schema:
      type: object
      properties:
        documents: { type: array, items: { type: string }, description: The texts to search. }
        query: { type: string, description: What to look for. }
      required: [documents, query]
    output_schema:
      type: array
      items: { type: object, properties: { document: { type: integer }, score: { type: number } } }
    examples:
      - args: [[fresh bread daily, old bread and old salt, sea salt], old bread]
        result: [{ document: 1, score: 0.7378 }, { document: 0, score: 0.3054 }]
      - args: [[buy low, sell high], "HIGH!"]
        result: [{ document: 1, score: 0.5493 }]
      - args: [[buy low], rent]
        result: []
--- */
function run(documents, query) {
  if (!Array.isArray(documents) || !documents.every((each) => typeof each === "string")) {
    kernel.fail(
      "bad_input",
      "documents must be a list of strings, such as ['buy low', 'sell high']",
    );
  }
  if (typeof query !== "string") {
    kernel.fail("bad_input", "query must be a string, such as 'sell'");
  }
  const index = _invertedIndex(documents);
  const scores = new Map();
  for (const word of new Set(_words(query))) {
    const postings = index.get(word) || new Map();
    const rarity = Math.log(1 + documents.length / Math.max(postings.size, 1));
    for (const [document, share] of postings) {
      scores.set(document, (scores.get(document) || 0) + share * rarity);
    }
  }
  return [...scores]
    .map(([document, score]) => ({ document, score: Math.round(score * 1e4) / 1e4 }))
    .sort((a, b) => b.score - a.score || a.document - b.document);
}

// From each word to the documents that hold it, with the share of their words that it makes up.
function _invertedIndex(documents) {
  const index = new Map();
  documents.forEach((text, document) => {
    const words = _words(text);
    for (const word of words) {
      const postings = index.get(word) || new Map();
      postings.set(document, (postings.get(document) || 0) + 1 / words.length);
      index.set(word, postings);
    }
  });
  return index;
}

function _words(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) || [];
}
