/**
 * How documents of one format version read as documents of the next. The key is the version that
 * the function reads; what it returns is a document of version key + 1.
 */
export type Upcasts = ReadonlyMap<number, (document: unknown) => unknown>;

export type Upcasting = {
  readonly document: unknown;
  readonly from: number;
  readonly to: number;
  readonly table: Upcasts;
};

export type Upcasted =
  | { readonly ok: true; readonly document: unknown }
  | { readonly ok: false; readonly problem: string };

/** The document as one of version `to`, by all the steps between; or why it cannot be read. */
export const upcastDocument = ({ document, from, to, table }: Upcasting): Upcasted => {
  if (from > to) {
    const both = `format ${from}, this program reads up to ${to}`;
    const problem = `was written by a newer catallaxy (${both}); update catallaxy`;
    return { ok: false, problem };
  }
  let later = document;
  for (let version = from; version < to; version++) {
    const upcast = table.get(version);
    if (upcast === undefined) {
      return { ok: false, problem: `has format ${from}, which is no longer read` };
    }
    later = upcast(later);
  }
  return { ok: true, document: later };
};
