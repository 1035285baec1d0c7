/** What a run must have so that each view has something to show. */
export type ShownRun = {
  readonly run: string;
  /** Another run of the same folder. */
  readonly other: string;
  readonly agent: string;
  readonly artifact: string;
  /** The event of a moment. */
  readonly moment: number;
};

/** A view of a run: its name, its address after the `#`, and an element that it shows last. */
export type Place = { readonly name: string; readonly hash: string; readonly shows: string };

/** Every view of a run, and the overview at a past moment. */
export const placesOf = ({ run, other, agent, artifact, moment }: ShownRun): readonly Place[] => {
  const at = (view: string): string => `#/runs/${[run, ...view.split("/")].join("/")}`;
  const rows = "tbody tr";
  return [
    { name: "runs", hash: "#/", shows: rows },
    { name: "overview", hash: at("overview"), shows: ".chart-canvas text" },
    { name: "overview-past", hash: `${at("overview")}?at=${moment}`, shows: ".chart-canvas text" },
    { name: "agents", hash: at("agents"), shows: rows },
    { name: "agent", hash: at(`agents/${agent}`), shows: ".chart-canvas text" },
    { name: "artifacts", hash: at("artifacts"), shows: rows },
    { name: "artifact", hash: at(`artifacts/${artifact}`), shows: ".chart-canvas text" },
    { name: "network", hash: at("network"), shows: ".matrix-head" },
    ...["mint", "tasks", "escrow", "debts", "votes", "held"].map((tab) => ({
      ...{ name: `books-${tab}`, hash: at(`books/${tab}`), shows: ".is-inner + .panel" },
    })),
    { name: "moments", hash: at(`moments/${moment}`), shows: ".picked h3" },
    { name: "messages", hash: at("messages"), shows: ".tools" },
    { name: "events", hash: at("events"), shows: ".event-line:not(.event-heads, .is-coming)" },
    { name: "compare", hash: at(`compare/${other}`), shows: ".chart-canvas text" },
  ];
};
