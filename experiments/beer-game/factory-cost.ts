import { costOf } from "./echelons.ts";

/** The cost of the factory in all weeks. */
export default costOf(3);
