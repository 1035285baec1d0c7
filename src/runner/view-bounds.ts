import type { ViewBounds } from "../kernel/index.ts";

/** What an agent may see at once; bounds of its percept. */
export const VIEW_BOUNDS: ViewBounds = {
  owned: 30,
  popular: 15,
  newest: 25,
  events: 20,
  principals: 50,
  tasks: 20,
  offers: 20,
  children: 20,
};
