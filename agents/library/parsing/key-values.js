/* ---
title: Read settings
topic: parsing
takes: notation
gives: record
worth: 3
description: Reads key = value lines with [sections] and comments, as in INI files.
methods:
  - name: run
    description: A flat record. A key in a section is named section.key; a later line wins.
    input_schema:
      type: object
      properties:
        text: { type: string, description: "Lines; # and ; begin comment lines." }
        separator:
          type: string
          enum: ["=", ":"]
          description: Between key and value. Default "=".
      required: [text]
    output_schema: { type: object, additionalProperties: { type: string } }
    examples:
      - args: ["name = bakery\n# opening hours\n[hours]\nopen = 8\nclose=17"]
        result: { name: bakery, hours.open: "8", hours.close: "17" }
      - args: ["To: Ann\nSubject: Re: rent", ":"]
        result: { To: Ann, Subject: "Re: rent" }
      - args: [""]
        result: {}
variants:
  - name: colon
    title: "Read key: value lines"
    bind: { separator: ":" }
    examples:
      - args: ["To: Ann\nSubject: Re: rent"]
        result: { To: Ann, Subject: "Re: rent" }
      - args: ["\n; nothing"]
        result: {}
--- */
function run(text, separator = "=") {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a string, such as 'name = bakery'");
  }
  if (separator !== "=" && separator !== ":") {
    kernel.fail("bad_input", "separator must be '=' or ':'");
  }
  let section = "";
  const entries = [];
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim();
    const heading = /^\[([^\]]+)\]$/.exec(line);
    const cut = line.indexOf(separator);
    if (line === "" || line[0] === "#" || line[0] === ";") {
      return;
    }
    if (heading !== null) {
      section = `${heading[1].trim()}.`;
    } else if (cut > 0) {
      entries.push([section + line.slice(0, cut).trim(), line.slice(cut + 1).trim()]);
    } else {
      const right = `key ${separator} value, [section] or # comment`;
      kernel.fail("bad_input", `line ${index + 1} is '${line}'; right would be ${right}`);
    }
  });
  return Object.fromEntries(entries);
}
