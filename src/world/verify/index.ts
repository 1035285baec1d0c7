export { checkOf, invariantChecks } from "./replay-check.ts";
export {
  damageIn,
  readingProblem,
  type Verification,
  verificationOf,
  verifyJournal,
} from "./verify-journal.ts";
