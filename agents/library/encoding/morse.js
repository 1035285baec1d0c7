/* ---
title: Morse code
topic: encoding
takes: text
gives: code
worth: 3
description: Writes text in dots and dashes, and reads them back.
methods:
  - name: run
    description: Letters with spaces between, words with " / ". What Morse has no code for is left
      out.
    input_schema:
      type: object
      properties:
        text: { type: string, description: "Letters, digits and . , ? : / = + - @." }
      required: [text]
    output_schema: { type: string }
    examples:
      - args: [SOS]
        result: "... --- ..."
      - args: [buy 2]
        result: "-... ..- -.-- / ..---"
      - args: [""]
        result: ""
  - name: decode
    description: The text in capitals that the code stands for.
    input_schema:
      type: object
      properties:
        code: { type: string, description: "As in ... --- ..." }
      required: [code]
    output_schema: { type: string }
    examples:
      - args: ["-... ..- -.-- / ..---"]
        result: BUY 2
--- */
function run(text) {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a string, such as 'SOS'");
  }
  const codes = new Map(_alphabet());
  const words = text.toUpperCase().split(/\s+/);
  return words
    .map((word) =>
      [...word]
        .map((letter) => codes.get(letter))
        .filter((code) => code)
        .join(" "),
    )
    .filter((word) => word !== "")
    .join(" / ");
}

function decode(code) {
  if (typeof code !== "string" || !/^[.\-/\s]*$/.test(code)) {
    kernel.fail(
      "bad_input",
      "code must be dots, dashes, spaces and slashes, such as '... --- ...'",
    );
  }
  const letters = new Map(_alphabet().map(([letter, signal]) => [signal, letter]));
  const words = code.trim().split(/\s*\/\s*/);
  return words
    .map((word) =>
      word
        .split(/\s+/)
        .map((signal) => _letter(letters, signal))
        .join(""),
    )
    .join(" ");
}

function _letter(letters, signal) {
  if (signal !== "" && !letters.has(signal)) {
    kernel.fail("bad_input", `'${signal}' is not a letter in Morse; put one space between letters`);
  }
  return letters.get(signal) || "";
}

function _alphabet() {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,?:/=+-@";
  const signals =
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- " +
    ".-- -..- -.-- --.. ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. " +
    ".-.-.- --..-- ..--.. ---... -..-. -...- .-.-. -....- .--.-.";
  return signals.split(" ").map((signal, index) => [letters[index], signal]);
}
