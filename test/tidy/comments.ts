import { everywhere, fileRule, type Rule } from "./rule.ts";

/** Standards that look like tickets. */
const STANDARD = /^(UTF|SHA|ISO|RFC|IEEE|FIPS|ECMA|ES|MD|CRC|AES|RSA|BASE|IPV)-/i;

export const commentRule: Rule = fileRule("comments say why", everywhere, (file, complain) => {
  for (const { value, start } of file.comments) {
    const mark = /\b(FIXME|TODO|XXX)\b/.exec(value)?.[1];
    if (mark !== undefined) complain({ start }, `${mark}: do it now, or say why it is as it is`);
    const ticket = ticketIn(value);
    if (ticket !== null) {
      complain({ start }, `"${ticket}" is history; say the reason itself, git keeps the rest`);
    }
  }
});

function ticketIn(comment: string): string | null {
  const numbered = /(?<![\w&/])#\d+\b|\b(issue|ticket|bug|pr|plan|phase)\s+#?\d+\b/i.exec(comment);
  if (numbered !== null) return numbered[0];
  const tickets = comment.match(/\b[A-Z][A-Z0-9]+-\d{2,}\b/g) ?? [];
  return tickets.find((ticket) => !STANDARD.test(ticket)) ?? null;
}
