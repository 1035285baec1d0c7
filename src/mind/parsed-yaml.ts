import { parseDocument } from "yaml";

/** Undefined where a text is no YAML, and where it is one value without fields: that is a text. */
export const parsedYaml = (text: string): unknown => {
  const value = yamlIn(text);
  return typeof value === "object" ? value : undefined;
};

const yamlIn = (text: string): unknown => {
  try {
    const document = parseDocument(text, { logLevel: "silent" });
    return document.errors.length > 0 ? undefined : document.toJS();
  } catch {
    return undefined;
  }
};
