/* ---
title: Fill a template
topic: text
takes: record
gives: code
worth: 3
description: Puts the values of a record into the {{places}} of a text. Without a template it lists
  them.
methods:
  - name: run
    description: The template with every {{name}} replaced. An unknown name is refused.
    input_schema:
      type: object
      properties:
        values: { type: object, description: Values by name. }
        template:
          type: string
          description: "Text such as \"Dear {{name}}\". Default: a line per value."
      required: [values]
    output_schema: { type: string }
    examples:
      - args: [{ name: Ada, total: 12 }, "Dear {{name}}, you owe {{ total }} scrip."]
        result: Dear Ada, you owe 12 scrip.
      - args: [{ count: 3, tags: [a, b] }]
        result: "count: 3\ntags: [\"a\",\"b\"]"
      - args: [{}]
        result: ""
--- */
function run(values, template) {
  if (values === null || typeof values !== "object" || Array.isArray(values)) {
    kernel.fail("bad_input", "values must be a record, such as { name: 'Ada', total: 12 }");
  }
  const names = Object.keys(values);
  if (template === undefined) {
    return names.map((name) => `${name}: ${_shown(values[name])}`).join("\n");
  }
  if (typeof template !== "string") {
    kernel.fail("bad_input", "template must be a string, such as 'Dear {{name}}'");
  }
  return template.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (_, name) => {
    if (!names.includes(name)) {
      kernel.fail(
        "bad_input",
        `no value for {{${name}}}; there are values for ${names.join(", ")}`,
      );
    }
    return _shown(values[name]);
  });
}

function _shown(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}
