import { seconds } from "../../units.ts";
import { oneLine } from "../fence.ts";
import type { Section } from "../section.ts";

const MEMORY_CHARS = 300;

/** What comes to the agent's mind, nearest first. */
export const memories: Section = {
  name: "memories",
  title: "What you remember that may bear on this",
  priority: 60,
  tokensMax: 400,
  keeps: "start",
  foreign: true,
  lines: ({ memories: recalled }) =>
    recalled.map(({ atMs, text }) => `- (at ${seconds(atMs)}) ${oneLine(text, MEMORY_CHARS)}`),
};

export const workingMemory: Section = {
  name: "working_memory",
  title: "Your working memory",
  priority: 90,
  tokensMax: 600,
  keeps: "start",
  foreign: true,
  lines: ({ workingMemory: text }) => (text === "" ? [] : text.split("\n")),
};

/** So many thoughts long an agent is pointed to the handbook. */
const HINTED_THOUGHTS = 3;

const FIRST_STEPS = [
  "The handbook is artifacts that you read for free. handbook_toc lists its pages; begin with",
  'handbook_trading: {"read_artifact": {"artifact_id": "handbook_trading"}}.',
  "Programs need an interface with examples, or nobody knows how to call them: handbook_tools.",
  "The genesis_* artifacts are services for all (ledger, escrow, mint, store): handbook_genesis.",
];

export const hints: Section = {
  name: "hints",
  title: "To begin with",
  priority: 30,
  tokensMax: 200,
  keeps: "start",
  foreign: false,
  lines: ({ view: { agent } }) => (agent.counters.thoughts >= HINTED_THOUGHTS ? [] : FIRST_STEPS),
};
