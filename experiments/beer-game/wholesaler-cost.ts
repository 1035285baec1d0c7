import { costOf } from "./echelons.ts";

/** The cost of the wholesaler in all weeks. */
export default costOf(1);
