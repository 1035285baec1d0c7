export { type Check, checkOf, invariantChecks } from "./replay-check.ts";
export { damageIn, type Verification, verificationOf, verifyJournal } from "./verify-journal.ts";
