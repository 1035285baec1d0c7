import type { ActionEnd, Event } from "../../kernel/index.ts";
import { tradeIn } from "../trade.ts";

/** What an event tells about the health of the economy. */
export type Fact =
  | { readonly kind: "trade"; readonly atMs: number }
  | { readonly kind: "want"; readonly atMs: number }
  | { readonly kind: "mint"; readonly atMs: number; readonly amount: number }
  | {
      readonly kind: "action";
      readonly atMs: number;
      /** Action, target and method as text; equal for equal behaviour. */
      readonly behaviour: string;
      readonly passive: boolean;
    };

/** Refusals by scarcity, as opposed to mistakes. */
const WANT: ReadonlySet<string> = new Set([
  "rate_limited",
  "insufficient_funds",
  "insufficient_disk",
  "quota_exceeded",
]);
const PASSIVE: ReadonlySet<string> = new Set(["noop", "read_artifact"]);

export const behaviourOf = ({ action, target, method }: ActionEnd): string =>
  [action, target, method].filter((part) => part !== null).join(" ");

/** One event can be both an action and a sign of scarcity. */
export const factsOf = (event: Event): readonly Fact[] => {
  const { at_ms: atMs } = event;
  if (tradeIn(event) !== null) return [{ kind: "trade", atMs }];
  switch (event.kind) {
    case "agent_rate_limited":
    case "agent_frozen":
      return [{ kind: "want", atMs }];
    case "scrip_minted":
      return [{ kind: "mint", atMs, amount: event.amount }];
    case "action_completed":
      return [actionIn(event)];
    case "action_refused":
      return WANT.has(event.code) ? [actionIn(event), { kind: "want", atMs }] : [actionIn(event)];
    default:
      return [];
  }
};

const actionIn = (event: ActionEnd): Fact => ({
  kind: "action",
  atMs: event.at_ms,
  behaviour: behaviourOf(event),
  passive: PASSIVE.has(event.action),
});
