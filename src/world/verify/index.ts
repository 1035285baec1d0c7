export { type Check, invariantChecks } from "./replay-check.ts";
export { damageIn, type Verdict, verifyJournal } from "./verify-journal.ts";
