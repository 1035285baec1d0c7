/* ---
title: Normalise text
topic: text
takes: text
gives: text
worth: 2
description: Lower case, plain ASCII quotes, no accents on Latin letters, and single spaces.
methods:
  - name: run
    description: Text in a plain form that compares well.
    input_schema:
      type: object
      properties:
        text: { type: string, description: The text to make plain. }
      required: [text]
    output_schema: { type: string }
    examples:
      - args: ["  Crème   BRÛLÉE \n for two "]
        result: creme brulee for two
      - args: ["“Ça va?” – l’été"]
        result: "\"ca va?\" - l'ete"
      - args: [""]
        result: ""
--- */
function run(text) {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a string, such as 'Crème  Brûlée'");
  }
  const plainPunctuation = text
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[‐‑‒–—]/g, "-");
  return _withoutAccents(plainPunctuation).replace(/\s+/g, " ").trim();
}

function _withoutAccents(text) {
  const accented = {
    a: "àáâãäåā",
    c: "çćč",
    e: "èéêëēę",
    i: "ìíîïī",
    n: "ñńň",
    o: "òóôõöøō",
    s: "śš",
    u: "ùúûüūů",
    y: "ýÿ",
    z: "źžż",
  };
  return Object.keys(accented).reduce(
    (plain, letter) => plain.replace(new RegExp(`[${accented[letter]}]`, "g"), letter),
    text,
  );
}
