export { type Check, invariantChecks } from "./replay-check.ts";
export { damageIn, type Verification, verifyJournal } from "./verify-journal.ts";
