/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** As much of the beginning of a secret gives it away. */
const PIECE_UNITS = 12;
/** Shorter than this a key is a word such as `ollama` or `EMPTY`, which may stand in any text. */
const SECRET_UNITS_MIN = 8;
const INSTEAD = "***";

/**
 * Takes out the secrets as they are, as they stand in an address and in base64, whole or from
 * their beginning on. Who is sent a key can say it in other ways too; this keeps it from being
 * written down by mistake.
 */
export const redactorOf = (secrets: readonly string[]): Redact => {
  const long = secrets.filter((secret) => secret.length >= SECRET_UNITS_MIN);
  const forms = [...new Set(long.flatMap(formsOf))].filter((form) => form.length > 0);
  if (forms.length === 0) return (text) => text;
  const pieces = forms.map((form) => form.slice(0, PIECE_UNITS));
  const start = new RegExp([...new Set(pieces)].map(literal).join("|"), "g");
  return (text) => {
    let clean = "";
    let from = 0;
    for (const { index } of text.matchAll(start)) {
      if (index < from) continue;
      clean += `${text.slice(from, index)}${INSTEAD}`;
      from = index + Math.max(...forms.map((form) => sharedUnits(form, text, index)));
    }
    return clean + text.slice(from);
  };
};

const formsOf = (secret: string): readonly string[] => {
  const coded = [0, 1, 2].map((before) => base64Within(secret, before));
  const forAddresses = coded.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  return [secret, encodeURIComponent(secret.toWellFormed()), ...coded, ...forAddresses];
};

/** The base64 of a text behind so many bytes, without what depends on the bytes around it. */
const base64Within = (text: string, before: number): string => {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  const first = Math.ceil((before * 8) / 6);
  return bytes.toString("base64").slice(first, Math.floor((bytes.length * 8) / 6));
};

/** How much of the form stands there, if it is enough to give it away. */
const sharedUnits = (form: string, text: string, at: number): number => {
  let units = 0;
  while (units < form.length && text[at + units] === form[units]) units += 1;
  return units >= Math.min(PIECE_UNITS, form.length) ? units : 0;
};

const literal = (text: string): string => text.replace(/[$()*+./?[\\\]^{|}-]/g, "\\$&");
