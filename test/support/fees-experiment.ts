/** A small experiment with two arms and two seeds, and a measure of its own in `actions.ts`. */
export const FEES = `name: fees
question: Do higher fees make agents richer?
base:
  duration: 10s
  only: [ada, boole]
seeds: 1..2
arms:
  low: { set: { mint.minimum_bid: 5 } }
  high: { set: { mint.minimum_bid: 5, scrip.starting_amount: 500 }, label: rich }
measures:
  - gini
  - wealth.total
  - { name: early, figure: actions, between: [0s, 5s] }
  - { name: ada, figure: wealth, agent: ada }
  - { name: actions, file: ./actions.ts, unit: count }
`;

export const ACTIONS = `export default ({ metrics, events }) => {
  const kinds = [...events()].filter(({ event }) => event.kind === "action_executed");
  return metrics.work.actions + 0 * kinds.length;
};
`;
