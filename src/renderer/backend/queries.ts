import { type Change, type Client, type ErrorValue, errorOf } from '../../contract/index.ts';
import { call, type InputOf, type Name, type OutputOf, touches } from './procedures.ts';

/** What is known of a question: the last answer stays while a newer one is fetched. */
export interface Answer<T> {
  readonly data: T | undefined;
  readonly error: ErrorValue | null;
  readonly loading: boolean;
}

interface Entry {
  readonly name: Name;
  readonly input: unknown;
  answer: Answer<unknown>;
  stale: boolean;
  /** Whether it is being asked now. */
  asking: boolean;
  lastAsked: number;
  timer: ReturnType<typeof setTimeout> | null;
  readonly listeners: Set<() => void>;
}

/** Answers by question, shared by every part of the window that asks the same. */
export interface Queries {
  read<P extends Name>(name: P, input: InputOf<P>): Answer<OutputOf<P>>;
  subscribe<P extends Name>(name: P, input: InputOf<P>, listener: () => void): () => void;
  /** Marks what a change touches as out of date; what is on the screen is asked again. */
  changed(change: Change): void;
  /** Everything is out of date: the connection was away. */
  allChanged(): void;
}

const EMPTY: Answer<never> = { data: undefined, error: null, loading: true };
/** While changes stream in, a question is asked again at most this often. */
const BREATH_MS = 400;
const KEPT = 300;

/** An own small cache of query answers; `useQuery` is its face to components. */
export function createQueries(client: Client, now: () => number = Date.now): Queries {
  const entries = new Map<string, Entry>();

  function entryOf(name: Name, input: unknown): Entry {
    const key = `${name} ${JSON.stringify(input)}`;
    const known = entries.get(key);
    if (known) return known;
    const made: Entry = {
      name,
      input,
      answer: EMPTY,
      stale: true,
      asking: false,
      lastAsked: 0,
      timer: null,
      listeners: new Set(),
    };
    entries.set(key, made);
    forgetOldest();
    return made;
  }

  /** Answers that nothing shows are kept for a quick return, but not without end. */
  function forgetOldest(): void {
    if (entries.size <= KEPT) return;
    for (const [key, entry] of entries) {
      if (entry.listeners.size > 0 || entry.asking) continue;
      entries.delete(key);
      if (entries.size <= KEPT) return;
    }
  }

  function tell(entry: Entry, answer: Answer<unknown>): void {
    entry.answer = answer;
    for (const listener of entry.listeners) listener();
  }

  /** At most one question under way: what changes meanwhile is asked for behind it, so that a slow answer comes however fast changes do. */
  async function ask(entry: Entry): Promise<void> {
    entry.asking = true;
    entry.stale = false;
    entry.lastAsked = now();
    if (!entry.answer.loading) tell(entry, { ...entry.answer, loading: true });
    const told = await answerTo(entry);
    entry.asking = false;
    const again = entry.stale && entry.listeners.size > 0;
    tell(entry, { ...told, loading: again });
    if (again) refresh(entry);
  }

  async function answerTo({ name, input, answer }: Entry): Promise<Omit<Answer<unknown>, 'loading'>> {
    try {
      return { data: await call(client, name, input as never), error: null };
    } catch (thrown) {
      return { data: answer.data, error: errorOf(thrown) };
    }
  }

  function refresh(entry: Entry): void {
    entry.stale = true;
    if (entry.listeners.size === 0 || entry.asking || entry.timer) return;
    const wait = Math.max(0, entry.lastAsked + BREATH_MS - now());
    entry.timer = setTimeout(() => {
      entry.timer = null;
      if (entry.stale && !entry.asking && entry.listeners.size > 0) void ask(entry);
    }, wait);
  }

  return {
    read: (name, input) => entryOf(name, input).answer as Answer<never>,
    subscribe(name, input, listener) {
      const entry = entryOf(name, input);
      entry.listeners.add(listener);
      if (entry.stale && !entry.asking) void ask(entry);
      return () => entry.listeners.delete(listener);
    },
    changed(change) {
      for (const entry of entries.values()) {
        if (touches(change, entry.name, entry.input)) refresh(entry);
      }
    },
    allChanged() {
      for (const entry of entries.values()) refresh(entry);
    },
  };
}
