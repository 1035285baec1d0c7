import type { HoldId, Id } from "../ids.ts";
import type { Json } from "../json.ts";
import type { TaskTest } from "./task.ts";

/** The principal is who bid, solved or posted; null where the world itself acts. */
export type MintHappening =
  | {
      readonly kind: "bid_placed";
      readonly submission: string;
      readonly artifact_id: Id;
      readonly bidder: Id;
      readonly amount: number;
      readonly hold: HoldId;
      readonly auction: number;
      /** The artifact as it is bid: a later version makes the bid void. */
      readonly version: number;
    }
  | { readonly kind: "bid_cancelled"; readonly submission: string; readonly artifact_id: Id }
  | {
      readonly kind: "auction_resolved";
      readonly auction: number;
      /** What every winner pays. */
      readonly price: number;
      /** Submissions, the highest bid first. */
      readonly won: readonly string[];
      readonly lost: readonly string[];
      /** Submissions whose artifact is gone or changed. */
      readonly void: readonly string[];
    }
  | {
      readonly kind: "artifact_scored";
      readonly submission: string;
      readonly artifact_id: Id;
      readonly score: number;
      readonly minted: number;
      readonly reason: string;
      /** What the scorer wants to know of this artifact the next time. */
      readonly memo: Json;
    }
  | {
      readonly kind: "scoring_failed";
      readonly submission: string;
      readonly artifact_id: Id;
      readonly reason: string;
    }
  | {
      readonly kind: "task_posted";
      readonly task: string;
      /** Null: the world's own, whose reward is minted. */
      readonly poster: Id | null;
      readonly reward: number;
      readonly hold: HoldId | null;
      readonly description: string;
      readonly public_tests: readonly TaskTest[];
      readonly hidden_tests: readonly TaskTest[];
    }
  | {
      readonly kind: "task_solved";
      readonly task: string;
      readonly artifact_id: Id;
      readonly solver: Id;
      readonly reward: number;
    }
  | { readonly kind: "task_withdrawn"; readonly task: string };
