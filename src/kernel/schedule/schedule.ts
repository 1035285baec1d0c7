import type { PrivateValues } from "../agent/agent.ts";
import type { OwnReviewTerms } from "../agent/review.ts";
import type { Interface } from "../artifact/artifact.ts";
import type { Id } from "../primitives/ids.ts";
import type { JsonObject } from "../primitives/json.ts";
import type { StandingTerms } from "../setup/physics.ts";

/** Principals of a scheduled payment. `all`: every agent that has not stopped at that time. */
export type Recipients = readonly Id[] | "all";

/** Scrip and model budget that come into the world or leave it. One of them can be 0. */
export type ScheduledAmount = { readonly scrip: number; readonly llm_budget_micros: number };

export type ScheduledAgent = {
  readonly id: Id;
  /** The agent's configuration as JSON text. */
  readonly content: string;
  /** The content of the agent's workspace. Absent: the agent starts without a workspace. */
  readonly workspace?: string;
  readonly group: string | null;
  /** As in the command `create_agent`. */
  readonly contacts?: readonly Id[];
  readonly values: PrivateValues;
  readonly scrip: number;
  readonly standing: StandingTerms | null;
  /** Absent: the terms of the world. */
  readonly review?: OwnReviewTerms;
  /** The time in ms between the agent's creation and its first thought. */
  readonly starts_after_ms: number;
};

/** An installed artifact has either code or content. */
export type InstalledFields = {
  readonly type: string;
  readonly code?: string;
  readonly content?: string;
  readonly price?: number;
  readonly read_price?: number;
  readonly interface?: Interface;
  readonly has_standing?: true;
};

/** A change that the configuration of a run plans for a later run time. */
export type ScheduledChange =
  /** Values of the configuration, by dotted key. */
  | { readonly kind: "set"; readonly settings: JsonObject }
  | ({ readonly kind: "mint"; readonly to: Recipients } & ScheduledAmount)
  | ({ readonly kind: "take"; readonly from: Recipients } & ScheduledAmount)
  /** `owner` null: the artifact owns itself, so that no agent can change it. */
  | {
      readonly kind: "install";
      readonly id: Id;
      readonly owner: Id | null;
      readonly fields: InstalledFields;
    }
  | { readonly kind: "pause" | "resume" | "remove"; readonly agent: Id }
  | { readonly kind: "add"; readonly agent: ScheduledAgent };

export type ScheduledEntry = { readonly at_ms: number; readonly change: ScheduledChange };

/** The rest of a run's schedule. It is part of the world, so that checkpoints and forks have it. */
export type Schedule = {
  /** The entries that have not been executed, sorted by time. */
  readonly entries: readonly ScheduledEntry[];
  /** The settings that executed entries have set. They override the run's configuration. */
  readonly settings: JsonObject;
};

export const EMPTY_SCHEDULE: Schedule = { entries: [], settings: {} };

/** Describes a change in words, such as `mint 100 scrip to alpha`. */
export const scheduledText = (change: ScheduledChange): string => {
  switch (change.kind) {
    case "set": {
      const all = Object.entries(change.settings);
      return `set ${all.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(", ")}`;
    }
    case "mint":
      return `mint ${amountText(change)} to ${namesText(change.to)}`;
    case "take":
      return `take ${amountText(change)} from ${namesText(change.from)}`;
    case "install":
      return `install ${change.id}${change.owner === null ? "" : ` for ${change.owner}`}`;
    case "add":
      return `add ${change.agent.id}`;
    default:
      return `${change.kind} ${change.agent}`;
  }
};

const amountText = ({ scrip, llm_budget_micros: micros }: ScheduledAmount): string =>
  [
    ...(scrip > 0 ? [`${scrip} scrip`] : []),
    ...(micros > 0 ? [`${micros / 1e6} USD of model budget`] : []),
  ].join(" and ");

const namesText = (who: Recipients): string => (who === "all" ? "all agents" : who.join(", "));
