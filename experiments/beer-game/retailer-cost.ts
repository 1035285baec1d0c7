import { costOf } from "./echelons.ts";

/** The cost of the retailer in all weeks. */
export default costOf(0);
