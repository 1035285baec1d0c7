import { costOf } from "./echelons.ts";

/** The cost of the distributor in all weeks. */
export default costOf(2);
