/**
 * How many violations of a rule each area still has. The numbers may only fall; an area that is not
 * listed has none. `node test/tidy/allow.ts` lowers them.
 */
export const ALLOWANCES: { readonly [rule: string]: { readonly [area: string]: number } } = {
  "words are plain": { "test/support": 22 },
};

/** `src/mind` for a file of the mind, `docs` for a document, else the file itself. */
export const areaOf = (path: string): string =>
  path
    .split("/")
    .slice(0, /^(src|test)\//.test(path) ? 2 : 1)
    .join("/");
