import type { UserMind } from "catallaxy";

type Memory = { readonly at: number; readonly isApproved: boolean };

const call = (
  artifact_id: string,
  method: string,
  args: readonly number[] | readonly string[],
) => ({ artifact_id, method, args: [...args] });

/** Offers to trade each unit, one after the other, at exactly what it is worth or costs. */
const mind: UserMind = {
  decide({ memory, settings }) {
    const { at, isApproved } = (memory as Memory | null) ?? { at: 0, isApproved: false };
    const limit = (settings.units as readonly number[])[at];
    if (limit === undefined) return { action: { noop: {} }, sleep: { for_s: 60 } };
    const next = { at: at + 1, isApproved };
    if (settings.side === "buyer") {
      const buy = { ...call("market", "buy", [limit, 1]), attach: { scrip: limit } };
      return { action: { invoke_artifact: buy }, reasoning: "my value", memory: next };
    }
    if (!isApproved) {
      const approve = { ...call("wheat", "approve", []), args: ["market", 3] };
      return { action: { invoke_artifact: approve }, memory: { at, isApproved: true } };
    }
    return { action: { invoke_artifact: call("market", "sell", [limit, 1]) }, memory: next };
  },
};

export default mind;
