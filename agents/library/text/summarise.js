/* ---
title: Summarise text
topic: text
takes: text
gives: text
worth: 8
description: Picks the sentences that say most of what the text keeps coming back to, in their own
  order.
methods:
  - name: run
    description: The best sentences, each scored by the mean frequency of its longer words.
    input_schema:
      type: object
      properties:
        text: { type: string, description: Prose with full stops. }
        sentences:
          type: integer
          minimum: 1
          description: How many sentences to keep. Default 2.
      required: [text]
    output_schema: { type: string }
    examples:
      - args: ["Bread is dear. The baker sells bread to bakers. Rain fell.", 1]
        result: Bread is dear.
      - args: ["Prices rise when supply falls. Birds sing. Prices fall when supply rises! Why?"]
        result: Prices rise when supply falls. Prices fall when supply rises!
      - args: [""]
        result: ""
variants:
  - name: headline
    title: One-sentence summary
    bind: { sentences: 1 }
    examples:
      - args: ["Bread is dear. The baker sells bread to bakers. Rain fell."]
        result: Bread is dear.
  - name: paragraph
    title: Five-sentence summary
    bind: { sentences: 5 }
    examples:
      - args: ["Bread is dear. Rain fell."]
        result: Bread is dear. Rain fell.
--- */
function run(text, sentences = 2) {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a string of prose, such as 'Bread is dear. Rain fell.'");
  }
  if (!Number.isInteger(sentences) || sentences < 1) {
    kernel.fail("bad_input", "sentences must be a whole number, 1 or more");
  }
  const counts = new Map();
  for (const word of _longWords(text)) {
    counts.set(word, (counts.get(word) || 0) + 1);
  }
  return text
    .trim()
    .split(/(?<=[.!?])\s+/)
    .map((sentence, place) => ({ sentence, place, score: _score(sentence, counts) }))
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, sentences)
    .sort((a, b) => a.place - b.place)
    .map(({ sentence }) => sentence)
    .join(" ");
}

function _score(sentence, counts) {
  const words = _longWords(sentence);
  const total = words.reduce((sum, word) => sum + counts.get(word), 0);
  return words.length === 0 ? 0 : total / words.length;
}

function _longWords(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) || [];
}
