import { parseDocument } from "yaml";

/** Undefined where a text is no JSON. */
export const parsedJson = (text: string): unknown => parsedBy(JSON.parse, text);

/** Undefined where a text is no YAML, and where it is one value without fields: that is a text. */
export const parsedYaml = (text: string): unknown => parsedBy(yamlFields, text);

const yamlFields = (text: string): unknown => {
  const document = parseDocument(text, { logLevel: "silent" });
  if (document.errors.length > 0) return undefined;
  const value: unknown = document.toJS();
  return typeof value === "object" ? value : undefined;
};

const parsedBy = (parse: (text: string) => unknown, text: string): unknown => {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
};
