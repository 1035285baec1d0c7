type Typed = { readonly ok: true; readonly value: unknown } | { readonly problem: string };

/** Reads JSON that a person has typed, or says where it is wrong. */
export const readTypedJson = (text: string): Typed => {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { problem: `this is not JSON: ${error instanceof Error ? error.message : ""}` };
  }
};
