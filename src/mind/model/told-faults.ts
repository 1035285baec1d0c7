const MESSAGES_MAX = 500;

/**
 * What was told of faults lately, by all providers of a run. An agent reads it in its next prompt,
 * so that the same words come back without anybody repeating what was asked.
 */
export class ToldFaults {
  /** The oldest first. */
  readonly #messages = new Set<string>();

  note(message: string): void {
    this.#messages.delete(message);
    this.#messages.add(message);
    const [oldest] = this.#messages;
    if (this.#messages.size > MESSAGES_MAX && oldest !== undefined) this.#messages.delete(oldest);
  }

  /** Whether some message has these words in it. */
  holds(words: string): boolean {
    for (const message of this.#messages) if (message.includes(words)) return true;
    return false;
  }
}
