import type { MeasuredRun } from "catallaxy";
import { lakeOf } from "./lake.ts";

/** The share of catches above an equal share of what would grow back. Null without a catch. */
export default (run: MeasuredRun): number | null => {
  const { fishers, months } = lakeOf(run);
  const catches = months.flatMap(({ stock, got }) =>
    Object.values(got).map((tons) => tons > stock / 2 / fishers.length),
  );
  return catches.length === 0 ? null : catches.filter((isOver) => isOver).length / catches.length;
};
