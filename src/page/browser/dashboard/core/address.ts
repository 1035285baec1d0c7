import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { exactTimeText, type Period, parseTimeMs } from "../../../../text/index.ts";

/** The part of the page's address after `#`. */
export type Address = {
  /** The id of a run, or null for the list of runs. */
  readonly run: string | null;
  readonly view: string;
  /** The id of the agent, artifact or other run that the view shows. */
  readonly item: string | null;
  /** The page shows the world as it was after this event. Null: as it is now. */
  readonly at: number | null;
  /** A moment in another form than a number, such as `300s`. The server knows its event. */
  readonly moment?: string;
  readonly filter?: TypedFilter;
};

/** What a person asks a view for, by the name of the field. Empty texts ask for nothing. */
type TypedFilter = { readonly [name: string]: string };

/** The fields of the period, which all views of a run have: the times of its start and its end. */
const PERIOD = ["from", "to"] as const;

/** The views with more filters, and the names of their fields. */
const FILTERS: { readonly [view: string]: readonly string[] } = {
  agents: ["payment"],
  experiment: ["runs"],
  events: ["kind", "principal", "text", "order"],
  moments: ["agent", "artifact", "led", "verb", "search"],
};

const fieldsOf = (view: string): readonly string[] => [
  ...(FILTERS[view] ?? []),
  ...(view === EXPERIMENT_VIEW ? [] : PERIOD),
];

/** The view of the experiment that made the runs. It belongs to no run; its item is a measure. */
export const EXPERIMENT_VIEW = "experiment";

/** The place where an experiment compares its runs by what it keeps of each. */
export const comparedInExperiment = (runs: readonly string[]): Address => ({
  run: null,
  view: EXPERIMENT_VIEW,
  item: null,
  at: null,
  filter: { runs: runs.join(",") },
});

/** The page on which a person plays a seat. Its item is the agent. */
export const SEAT_VIEW = "seat";

const TOKEN = "catallaxy-token";

export const addressIn = (hash: string): Address => {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?");
  const [place, run, view, item] = path.split("/").filter(Boolean).map(decoded);
  const parameters = new URLSearchParams(query);
  const moment = parameters.get("at") ?? "";
  const at = Number(moment);
  const isEvent = moment === "" || Number.isSafeInteger(at);
  const filterOf = (shown: string): TypedFilter =>
    Object.fromEntries(fieldsOf(shown).map((name) => [name, parameters.get(name) ?? ""]));
  if (place === EXPERIMENT_VIEW) {
    const filter = filterOf(EXPERIMENT_VIEW);
    return { run: null, view: EXPERIMENT_VIEW, item: run ?? null, at: null, filter };
  }
  return {
    run: place === "runs" ? (run ?? null) : null,
    view: view ?? "overview",
    item: item ?? null,
    at: isEvent && at > 0 ? at : null,
    ...(isEvent ? {} : { moment }),
    filter: filterOf(view ?? "overview"),
  };
};

/** Decodes a part of the address. Returns text with an invalid encoding unchanged. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const hashOf = ({ run, view, item, at, moment, filter = {} }: Address): string => {
  if (run === null && view !== EXPERIMENT_VIEW) return "#/";
  const place = run === null ? [view] : ["runs", run, view];
  const path = [...place, ...(item === null ? [] : [item])].map(encodeURIComponent);
  const shown = at === null ? moment : String(at);
  const query = new URLSearchParams(shown === undefined ? {} : { at: shown });
  for (const name of fieldsOf(view)) {
    const value = filter[name] ?? "";
    if (value !== "") query.set(name, value);
  }
  return `#/${path.join("/")}${query.size === 0 ? "" : `?${query}`}`;
};

/** The part of a filter that all views of a run share. */
export const periodOf = ({ filter = {} }: Pick<Address, "filter">): TypedFilter => ({
  from: filter.from ?? "",
  to: filter.to ?? "",
});

/**
 * The period by the texts of its start and its end, as far as it is in `span`. A start or an end
 * without text is that of `span`. Null without texts, or if no moment of `span` is in the period.
 */
export const periodIn = ({ from, to }: TypedFilter, span: Period): Period | null => {
  const [fromMs, toMs] = [parseTimeMs((from ?? "").trim()), parseTimeMs((to ?? "").trim())];
  if (fromMs === null && toMs === null) return null;
  const period = {
    fromMs: Math.max(fromMs ?? span.fromMs, span.fromMs),
    toMs: Math.min(toMs ?? span.toMs, span.toMs),
  };
  return period.fromMs <= period.toMs ? period : null;
};

/** Between two times. People write hyphens, and editors of texts turn them into dashes. */
const DASH = /\s*[-–—−]\s*/;

type TypedPeriod =
  | { readonly kind: "period"; readonly period: Period }
  /** The text has no dash. */
  | { readonly kind: "moment" }
  | { readonly kind: "invalid"; readonly problem: string };

/** Parses a period such as `2:00-2:30` or `90s – 2m`. */
export const typedPeriod = (text: string): TypedPeriod => {
  const ends = text.trim().split(DASH);
  if (ends.length === 1) return { kind: "moment" };
  const [fromMs = null, toMs = null] = ends.map(parseTimeMs);
  // A number alone is an event and cannot end a period.
  if (ends.length === 2 && fromMs !== null && toMs !== null) {
    return { kind: "period", period: { fromMs, toMs } };
  }
  const problem = `“${text}” is not a period; write two times such as 2:00-2:30 or 120s-150s`;
  return { kind: "invalid", problem };
};

/** The texts of a range for the fields of a period. Example: `2:00` and `2:30.5`. */
export const fieldsOfPeriod = (range: Period | null): TypedFilter => ({
  from: range === null ? "" : shortTime(range.fromMs),
  to: range === null ? "" : shortTime(range.toMs),
});

const shortTime = (ms: number): string => exactTimeText(ms).replace(/\.?0+$/, "");

/** Opens an address. With `replace`, replaces the current entry of the browser's history. */
export const go = (address: Address, how: "push" | "replace" = "push"): void => {
  if (how === "push") location.hash = hashOf(address);
  else {
    history.replaceState(null, "", hashOf(address));
    dispatchEvent(new HashChangeEvent("hashchange"));
  }
};

/** Moves the token from the address to the storage of this tab. Others could see the address. */
const takeToken = (): void => {
  const [path = "", query = ""] = location.hash.split("?");
  const parameters = new URLSearchParams(query);
  const token = parameters.get("token");
  if (token === null) return;
  const { run, view, item } = addressIn(path);
  const isOfSeat = run !== null && view === SEAT_VIEW && item !== null;
  sessionStorage.setItem(isOfSeat ? seatKey(run, item) : TOKEN, token);
  parameters.delete("token");
  const kept = parameters.size > 0 ? `?${parameters}` : "";
  history.replaceState(null, "", `${path}${kept}`);
};

export const tokenHere = (): string | null => sessionStorage.getItem(TOKEN);

const seatKey = (run: string, agent: string): string => `${TOKEN} ${JSON.stringify([run, agent])}`;

/** The token of a seat, or the token of the dashboard, which opens all seats. */
export const seatTokenHere = (run: string, agent: string): string | null =>
  sessionStorage.getItem(seatKey(run, agent)) ?? tokenHere();

const addressHere = (): Address => {
  takeToken();
  return addressIn(location.hash);
};

export const useAddress = (): Address => {
  const [address, setAddress] = useState(addressHere);
  // At once: an address that changes before the next frame must not be missed.
  useLayoutEffect(() => {
    const read = (): void => setAddress(addressHere());
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return address;
};

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
