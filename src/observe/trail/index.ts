export type { ActionTrail, Cause, Deed, Use, Verdict } from "./cause.ts";
export { type MoneyTrail, moneyTrail, type Stream, type TrailWish } from "./money-trail.ts";
export type { Movement } from "./movement.ts";
export {
  type AskedModel,
  type Remembered,
  THOUGHT_ENDS,
  type ThoughtTrail,
} from "./thought-trail.ts";
