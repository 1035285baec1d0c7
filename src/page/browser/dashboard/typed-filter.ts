import { useEffect, useRef, useState } from "preact/hooks";
import { type Address, go, type TypedFilter } from "./address.ts";

const TYPING_PAUSE_MS = 300;

type Filtering<Filter> = {
  /** The filter in the address of the page. */
  readonly filter: Filter;
  /** What the fields have. */
  readonly typed: Filter;
  readonly setTyped: (typed: Filter) => void;
};

/**
 * The filter of a view. The address gets what a person types as soon as they pause. `none` is the
 * filter that asks for nothing.
 */
export const useFilter = <Filter extends TypedFilter>(
  address: Address,
  none: Filter,
): Filtering<Filter> => {
  const filter: Filter = { ...none, ...address.filter };
  const [typed, setTyped] = useState(filter);
  const query = filterQuery(filter);
  const here = useRef(address);
  here.current = address;
  useEffect(() => {
    if (filterQuery(typed) === query) return;
    const type = (): void => go({ ...here.current, filter: typed }, "replace");
    const timer = setTimeout(type, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  // Links and the browser's history can change the address. The fields then follow it.
  useEffect(() => setTyped(filter), [query]);
  return { filter, typed, setTyped };
};

/** A filter as the query of a request, without empty texts. */
export const filterQuery = (filter: TypedFilter): string =>
  new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== "")).toString();
