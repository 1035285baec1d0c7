import { asId, type Event, must, type State } from "../kernel/index.ts";
import type { MemoryStore } from "../mind/index.ts";
import { type Journal, memoriesUpTo } from "../world/index.ts";

/** The index of what the agents of a run remember, which is made of what has happened. */
export class RunMemory {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  note(event: Event): void {
    if (event.kind !== "memory_recorded") return;
    const { principal, number, at_ms, memory, text } = event;
    const agent = must(principal, "an agent remembers");
    this.#store.add([{ agent, number, atMs: at_ms, kind: memory, text }]);
  }

  /** Brings the index, in a run that goes on, to what its journal and its state say. */
  recall(journal: Journal, state: State): void {
    const agents = [...state.agents.rows()];
    void this.#store.cutBack(new Map(agents.map(({ id, memories }) => [id, memories.count])));
    const known = memoriesUpTo(journal, journal.head().seq);
    this.#store.add(known.map((memory) => ({ ...memory, agent: asId(memory.agent) })));
  }

  /** Waits so long at the most: what is not in the index by then is still in the journal. */
  async close(patienceMs: number): Promise<void> {
    const enough = Promise.withResolvers<void>();
    const timer = setTimeout(enough.resolve, patienceMs);
    await Promise.race([this.#store.flush(), enough.promise]);
    clearTimeout(timer);
    await this.#store.close();
  }
}
