import { z } from "zod";
import { must, type Sleep } from "../kernel/index.ts";
import { type Decided, FREE, type Mind, type Thought } from "./core/mind.ts";
import type { SeatMove, SeatSource } from "./core/move-sources.ts";
import { mindKind } from "./kind.ts";

const DEFAULTS = {
  move_s: 5,
  absent: { wall: "noop", virtual: "wait" },
  absent_after_s: 60,
} as const;

/** The settings of `mind: seat`. */
const seatSettings = z.strictObject({
  move_s: z
    .number()
    .min(0)
    .max(1e6)
    .describe(
      `simulated seconds that each move takes on the virtual clock; default ${DEFAULTS.move_s}`,
    ),
  absent: z
    .enum(["wait", "noop"])
    .describe(
      "what happens if no client is connected: wait for one, or do nothing (noop); " +
        `default: ${DEFAULTS.absent.wall} on the wall clock, ` +
        `${DEFAULTS.absent.virtual} on the virtual clock`,
    ),
  absent_after_s: z
    .number()
    .min(0)
    .max(1e6)
    .describe(
      "real seconds without a client after which the seat is absent; " +
        `default ${DEFAULTS.absent_after_s}`,
    ),
});

const keys = {
  seat: seatSettings.partial().optional().describe("settings of mind: seat (docs/people.md)"),
};

type SeatSettings = NonNullable<z.infer<typeof keys.seat>>;

/** A seat that no client can reach sleeps, because it would make a noop in each iteration. */
const UNREACHABLE_SLEEP: Sleep = { for_ms: 3_600_000, until: [] };

/**
 * A mind that decides nothing. Its thought waits for a move from outside: of a person, or of
 * another program. The move then is an action like any other, under the same rules, and its thought
 * is free. The mind keeps no memory. On the virtual clock each move takes `move_s`, and the clock
 * stands still while a move is due. So the journal depends on the moves, not on how long they took.
 */
const seatMind = (id: string, settings: SeatSettings, source: SeatSource): Mind => {
  const { clock } = source;
  const { move_s = DEFAULTS.move_s, absent_after_s = DEFAULTS.absent_after_s } = settings;
  const { absent = DEFAULTS.absent[clock] } = settings;
  const moveMs = clock === "virtual" ? Math.round(move_s * 1000) : 0;
  const absentAfterMs = absent === "noop" ? Math.round(absent_after_s * 1000) : null;
  return {
    price: { micros: 0, calls: 0, tokens: 0 },
    exactPrice: null,
    thinkMs: [0, 0],
    parallel: null,
    recollect: null,
    hasLazyView: false,
    backsOff: false,
    decide: async (_, signal) => {
      const move = await source.nextMove({ id, absentAfterMs }, signal);
      const waitMs = move.kind === "move" && move.isWait ? 0 : moveMs;
      return { ...thoughtOf(id, move), waitMs };
    },
  };
};

/** The mind of an agent whose code is not trusted. It sleeps, and reads its messages. */
export const offMind = (id: string): Mind =>
  seatMind(id, {}, { clock: "virtual", nextMove: async () => ({ kind: "off" }) });

const thoughtOf = (id: string, move: SeatMove): Decided & Thought => {
  switch (move.kind) {
    case "move": {
      const { action, reasoning, sleep, read_through } = move;
      return { ...PASS, action, reasoning, sleep, read_through };
    }
    case "absent":
      return { ...PASS, reasoning: "no client is connected to this seat", read_through: 0 };
    case "unreachable":
    case "off": {
      const reasoning =
        move.kind === "off"
          ? `${id} does not think: its code is not trusted; give --trust to \`sim resume\``
          : `no client can take the seat of ${id}: this run has no control channel`;
      // It reads all messages, because an agent with unread messages does not sleep.
      return { ...PASS, reasoning, sleep: UNREACHABLE_SLEEP, warnings: [reasoning] };
    }
  }
};

/** Does nothing, and reads all messages without `read_through`. */
const PASS: Decided = {
  kind: "decided",
  action: { noop: {} },
  reasoning: "",
  memory: null,
  usage: FREE,
  waitMs: 0,
  sleep: null,
};

const { move_s, absent, absent_after_s } = seatSettings.shape;

const TEMPLATE = `seat: # all keys are optional (docs/people.md)
  move_s: ${DEFAULTS.move_s} # ${move_s.description}
#  absent: ${DEFAULTS.absent.virtual} # ${absent.description}
#  absent_after_s: ${DEFAULTS.absent_after_s} # ${absent_after_s.description}
`;

/** `mind: seat`: a person or another program decides. */
export const seatKind = mindKind({
  names: ["seat"],
  label: "seat",
  keys,
  cost: "none",
  // A seat can stop the virtual clock, so agents must not make one.
  onlyPersonas: () =>
    "`mind` must not be seat: only the personas of a run can be seats; " +
    'give another mind, such as {"mind":"policy/explorer"}',
  load: async () => ({
    open: ({ seats }) => ({
      create: ({ id }, { seat = {} }) =>
        seatMind(id, seat, must(seats, "a run with seats must have their feature")),
    }),
    preview: null,
    template: () => ({ text: TEMPLATE }),
  }),
});
