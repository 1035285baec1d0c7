/** Something drawn from plain values, that can be drawn anew from others. */
export type Chart<Spec> = {
  readonly root: HTMLElement;
  readonly update: (spec: Spec) => void;
  /** Ends what it listens to; its root may then be taken away. */
  readonly destroy: () => void;
};
