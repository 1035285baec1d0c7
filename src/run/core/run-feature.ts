import type { Event } from "../../kernel/index.ts";
import type { SeatSource, TurnSource } from "../../mind/index.ts";
import type { Environment, Pricing, RecordedCall } from "../../model/index.ts";
import type { Clock, Journal, World } from "../../world/index.ts";
import type { ControlMethods } from "../control/protocol.ts";

/**
 * A part of the program that takes part in runs, such as seats. A run knows none of them: the
 * program hands it their list (`RunHost.features`).
 *
 * `open` is called once for each run, in the order of the list, before the first event of this
 * process. It must neither throw nor submit to the world.
 */
export type RunFeature<Opened extends OpenFeature = OpenFeature> = {
  readonly name: string;
  readonly open: (run: FeatureRun) => Opened;
};

/** What a feature gets of a run. */
export type FeatureRun = {
  readonly world: World;
  readonly journal: Journal;
  readonly clock: Clock;
  /** The folder of the run. */
  readonly folder: string;
  readonly env: Environment;
  readonly budget: ModelBudget;
  /** Writes a warning to the journal, but each text only once. Never throws. */
  readonly warn: (text: string) => void;
  /** Tells the people who run the simulation what does not belong in the journal. */
  readonly note: (text: string) => void;
  /** Aborts when the run ends. */
  readonly signal: AbortSignal;
  /** What a feature before this one in the list has opened, or null if the list lacks it. */
  readonly opened: <Opened extends OpenFeature>(feature: RunFeature<Opened>) => Opened | null;
};

/** The model budget of a run. */
type ModelBudget = {
  readonly pricing: Pricing;
  /** The part that is not spent. */
  readonly leftMicros: () => number;
  /** Records a call that was not made through the run's own models, and counts its cost. */
  readonly charge: (call: RecordedCall) => void;
};

/** Where minds get what they wait for. */
type MindSources = { readonly seats: SeatSource; readonly turns: TurnSource };

/** What a feature adds to a run. The run calls the functions in the order of the list. */
export type OpenFeature = {
  readonly sources?: Partial<MindSources>;
  /** The methods that other processes can call. Called at their first connection. */
  methods?(): ControlMethods | Promise<ControlMethods>;
  /** Called when other processes can connect. Returns why they cannot use the feature, or null. */
  controlled?(): string | null;
  /** Called before the first agent of this process thinks. */
  start?(): void;
  /** Called after each committed transaction. The state of the world is that after the events. */
  onEvents?(events: readonly Event[]): void;
  /** Called when an operator has paused or continued the run. */
  onPace?(): void;
  /** Called after the end of the run, which waits for it. */
  close?(): Promise<void>;
};
