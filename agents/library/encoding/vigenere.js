/* ---
title: Vigenère cipher
topic: encoding
takes: text
gives: code
worth: 4
description: Shifts each letter by the next letter of a key. A key of one letter makes a Caesar
  cipher.
methods:
  - name: run
    description: Enciphered text. Case stays, and other characters than A to Z stay as it is.
    input_schema:
      type: object
      properties:
        text: { type: string, description: What to hide. }
        key: { type: string, description: Letters from A to Z. Default N (rot13). }
      required: [text]
    output_schema: { type: string }
    examples:
      - args: ["Attack at dawn!", LEMON]
        result: "Lxfopv ef rnhr!"
      - args: ["Sell high"]
        result: "Fryy uvtu"
      - args: ["", KEY]
        result: ""
  - name: decode
    description: The text that was enciphered with the key.
    input_schema:
      type: object
      properties:
        code: { type: string, description: Enciphered text. }
        key: { type: string, description: Letters from A to Z. Default N (rot13). }
      required: [code]
    output_schema: { type: string }
    examples:
      - args: ["Lxfopv ef rnhr!", lemon]
        result: "Attack at dawn!"
variants:
  - name: caesar
    title: Caesar cipher
    bind: { key: D }
    examples:
      - args: ["Veni, vidi, vici"]
        result: "Yhql, ylgl, ylfl"
  - name: ledger
    title: Cipher with the key LEDGER
    bind: { key: LEDGER }
    examples:
      - args: [aaaaaaa]
        result: ledgerl
--- */
function run(text, key = "N") {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a string, such as 'Attack at dawn!'");
  }
  return _shift(text, key, 1);
}

function decode(code, key = "N") {
  if (typeof code !== "string") {
    kernel.fail("bad_input", "code must be a string, such as 'Lxfopv ef rnhr!'");
  }
  return _shift(code, key, 25);
}

// Each letter moves on by direction times its key letter; 25 steps on are one step back.
function _shift(text, key, direction) {
  if (typeof key !== "string" || !/^[A-Za-z]+$/.test(key)) {
    kernel.fail("bad_input", "key must be letters from A to Z, such as 'LEMON'");
  }
  const alphabet = "abcdefghijklmnopqrstuvwxyz";
  const steps = [...key.toLowerCase()].map((letter) => alphabet.indexOf(letter));
  let used = 0;
  return text.replace(/[A-Za-z]/g, (letter) => {
    const from = alphabet.indexOf(letter.toLowerCase());
    const shifted = alphabet[(from + direction * steps[used % steps.length]) % 26];
    used += 1;
    return letter < "a" ? shifted.toUpperCase() : shifted;
  });
}
