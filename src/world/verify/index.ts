export { type Check, invariantChecks, type Verdict } from "./verdict.ts";
export { verifyJournal } from "./verify-journal.ts";
