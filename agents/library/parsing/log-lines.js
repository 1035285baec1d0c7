/* ---
title: Read a log
topic: parsing
takes: notation
gives: table
worth: 4
description: Turns log lines of the form "time LEVEL message" into records.
methods:
  - name: run
    description: One row an entry. A line that does not begin with a time continues the message
      before it.
    input_schema:
      type: object
      properties:
        text: { type: string, description: "Lines such as 2026-01-05T10:00:00Z WARN disk is full." }
        level:
          type: string
          enum: [DEBUG, INFO, WARN, ERROR]
          description: "Only this level. Default: all."
      required: [text]
    output_schema:
      type: array
      items:
        type: object
        properties:
          level: { type: string }
          time: { type: string }
          message: { type: string }
          line: { type: integer }
    examples:
      - args: ["2026-01-05T10:00:00Z INFO start\n2026-01-05T10:00:07Z ERROR boom\n  at step 2"]
        result:
          - { level: INFO, time: "2026-01-05T10:00:00Z", message: start, line: 1 }
          - { level: ERROR, time: "2026-01-05T10:00:07Z", message: "boom\n  at step 2", line: 2 }
      - args: ["2026-01-05T10:00:00Z INFO start\n2026-01-05T10:00:07Z ERROR boom", INFO]
        result: [{ level: INFO, time: "2026-01-05T10:00:00Z", message: start, line: 1 }]
      - args: [""]
        result: []
variants:
  - name: errors
    title: Errors of a log
    bind: { level: ERROR }
    examples:
      - args: ["2026-01-05T10:00:00Z INFO start\n2026-01-05T10:00:07Z ERROR boom"]
        result: [{ level: ERROR, time: "2026-01-05T10:00:07Z", message: boom, line: 2 }]
      - args: ["2026-01-05T10:00:00Z INFO start"]
        result: []
  - name: warnings
    title: Warnings of a log
    bind: { level: WARN }
    examples:
      - args: ["2026-01-05T10:00:00Z WARN disk is full\n2026-01-05T10:00:07Z ERROR boom"]
        result: [{ level: WARN, time: "2026-01-05T10:00:00Z", message: disk is full, line: 1 }]
--- */
function run(text, level = "") {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a string, such as '2026-01-05T10:00:00Z INFO start'");
  }
  if (!["", "DEBUG", "INFO", "WARN", "ERROR"].includes(level)) {
    kernel.fail("bad_input", "level must be DEBUG, INFO, WARN or ERROR");
  }
  const entries = [];
  text.split(/\r?\n/).forEach((line, index) => {
    const match = /^(\d{4}-\d\d-\d\d[T ]\S+)\s+(DEBUG|INFO|WARN|ERROR)\s+(.*)$/.exec(line);
    if (match !== null) {
      entries.push({ level: match[2], time: match[1], message: match[3], line: index + 1 });
    } else if (entries.length > 0) {
      entries[entries.length - 1].message += line === "" ? "" : `\n${line}`;
    } else if (line.trim() !== "") {
      kernel.fail("bad_input", "the first line must begin with a time and a level");
    }
  });
  return entries.filter((entry) => level === "" || entry.level === level);
}
