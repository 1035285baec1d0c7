/** Trouble with what a user asks of a run, such as a wrong setting. The lines are for the user. */
export class RunFailure extends Error {
  override readonly name = "RunFailure";
  readonly lines: readonly string[];
  /** False if the machine is the cause, such as a file that cannot be read. */
  readonly isUsersMistake: boolean;

  constructor(lines: string | readonly string[], isUsersMistake = true) {
    const all = typeof lines === "string" ? [lines] : lines;
    super(all.join("\n"));
    this.lines = all;
    this.isUsersMistake = isUsersMistake;
  }
}
