import { ACTIVE } from "../../../printable.ts";
import { jsonText } from "./text.ts";

/** JSON for a text area. Has the escapes of JSON for all characters that a page must not show. */
export const editableJson = (value: unknown): string =>
  jsonText(value).replace(ACTIVE, (mark) => {
    const code = mark.codePointAt(0)?.toString(16) ?? "";
    return `\\u${code.padStart(4, "0")}`;
  });

type Typed = { readonly ok: true; readonly value: unknown } | { readonly problem: string };

/** Reads JSON that a person has typed, or says where it is wrong. */
export const readTypedJson = (text: string): Typed => {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { problem: `this is not JSON: ${error instanceof Error ? error.message : ""}` };
  }
};
