import { useEffect, useState } from "preact/hooks";

/** What the page shows, as it stands behind the `#` of its address. */
export type Address = {
  /** Null: the list of runs. */
  readonly run: string | null;
  readonly view: string;
  /** What of that view is looked at: an agent, an artifact, another run. */
  readonly item: string | null;
  /** The event after which the world is shown; null: as it is now. */
  readonly at: number | null;
  /** Which events are listed; without it, all. */
  readonly filter?: EventFilter;
};

export type EventFilter = {
  readonly kind: string;
  readonly principal: string;
  readonly text: string;
};

export const NO_FILTER: EventFilter = { kind: "", principal: "", text: "" };

const TOKEN = "catallaxy-token";

export const addressIn = (hash: string): Address => {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?");
  const [place, run, view, item] = path.split("/").filter(Boolean).map(decoded);
  const parameters = new URLSearchParams(query);
  const at = Number(parameters.get("at"));
  const named = (name: keyof EventFilter): string => parameters.get(name) ?? "";
  return {
    run: place === "runs" ? (run ?? null) : null,
    view: view ?? "overview",
    item: item ?? null,
    at: Number.isSafeInteger(at) && at > 0 ? at : null,
    filter: { kind: named("kind"), principal: named("principal"), text: named("text") },
  };
};

/** What a person typed may be no encoding of anything. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const hashOf = ({ run, view, item, at, filter }: Address): string => {
  if (run === null) return "#/";
  const path = ["runs", run, view, ...(item === null ? [] : [item])].map(encodeURIComponent);
  const query = new URLSearchParams(at === null ? {} : { at: String(at) });
  for (const [name, value] of Object.entries(view === "events" ? (filter ?? {}) : {})) {
    if (value !== "") query.set(name, value);
  }
  return `#/${path.join("/")}${query.size === 0 ? "" : `?${query}`}`;
};

/** Shows another view without a step in the history where it is only another moment. */
export const go = (address: Address, way: "push" | "replace" = "push"): void => {
  if (way === "push") location.hash = hashOf(address);
  else {
    history.replaceState(null, "", hashOf(address));
    dispatchEvent(new HashChangeEvent("hashchange"));
  }
};

/**
 * Takes the token out of the address, so that it stands in no history and no picture of the screen,
 * and keeps it for this tab.
 */
export const takeToken = (): void => {
  const [path = "", query = ""] = location.hash.split("?");
  const parameters = new URLSearchParams(query);
  const token = parameters.get("token");
  if (token === null) return;
  sessionStorage.setItem(TOKEN, token);
  parameters.delete("token");
  const rest = parameters.size > 0 ? `?${parameters}` : "";
  history.replaceState(null, "", `${path}${rest}`);
};

export const tokenHere = (): string | null => sessionStorage.getItem(TOKEN);

export const useAddress = (): Address => {
  const [address, setAddress] = useState(() => {
    takeToken();
    return addressIn(location.hash);
  });
  useEffect(() => {
    const read = (): void => {
      takeToken();
      setAddress(addressIn(location.hash));
    };
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return address;
};
