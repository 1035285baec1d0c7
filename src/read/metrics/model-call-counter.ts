import { type CallReader, ModelCosts } from "../../model/index.ts";
import { addTo } from "./statistics.ts";

/** Sums up the model calls of a run, one by one. All displays use these sums. */
export class ModelCallCounter {
  readonly costs = new ModelCosts();
  /** The number of failed calls by fault. */
  readonly faults = new Map<string, number>();

  /** Skips a damaged record, which `sim verify` reports. */
  count(read: ReturnType<CallReader["read"]>): void {
    if (!read.ok) return;
    const { reply } = read.call;
    this.costs.add(read.call);
    if (!reply.ok) addTo(this.faults, reply.fault);
  }
}
