import {
  type BackendClient,
  type ChangeEvent,
  type ErrorValue,
  toContractError,
} from '../../contract/index.ts';
import {
  callProcedure,
  isQueryInvalidatedBy,
  type ProcedureInput,
  type ProcedureName,
  type ProcedureOutput,
} from './procedures.ts';

/** State of a query. The previous data remains available while a newer answer is being fetched. */
export interface QueryState<T> {
  readonly data: T | undefined;
  readonly error: ErrorValue | null;
  readonly loading: boolean;
}

interface CacheEntry {
  readonly name: ProcedureName;
  readonly input: unknown;
  state: QueryState<unknown>;
  isStale: boolean;
  isFetching: boolean;
  lastFetchedAt: number;
  timer: ReturnType<typeof setTimeout> | null;
  readonly listeners: Set<() => void>;
}

const LOADING_QUERY: QueryState<never> = { data: undefined, error: null, loading: true };
/** Minimum time between two fetches of a query while many changes arrive, in milliseconds. Chosen by judgment. */
const MIN_REFETCH_INTERVAL_MS = 400;
/** Number of cache entries above which unused entries are evicted. Chosen by judgment. */
const MAX_ENTRIES = 300;

/** Cache of query answers, shared by all components that use the same query. Components access it through `useQuery`. */
export class QueryCache {
  readonly #client: BackendClient;
  readonly #now: () => number;
  readonly #entries = new Map<string, CacheEntry>();

  constructor(client: BackendClient, now: () => number = Date.now) {
    this.#client = client;
    this.#now = now;
  }

  read<P extends ProcedureName>(name: P, input: ProcedureInput<P>): QueryState<ProcedureOutput<P>> {
    return this.#entry(name, input).state as QueryState<ProcedureOutput<P>>;
  }

  /** Fetches the query if needed and calls the listener after each change of its state. Returns the unsubscribe function. */
  subscribe<P extends ProcedureName>(name: P, input: ProcedureInput<P>, listener: () => void): () => void {
    const entry = this.#entry(name, input);
    entry.listeners.add(listener);
    if (entry.isStale && !entry.isFetching) void this.#fetch(entry);
    return () => entry.listeners.delete(listener);
  }

  /** Marks the queries affected by a change as stale and refetches those that are in use. */
  invalidate(change: ChangeEvent): void {
    for (const entry of this.#entries.values()) {
      if (isQueryInvalidatedBy(change, entry.name, entry.input)) this.#scheduleRefetch(entry);
    }
  }

  /** Marks all queries as stale, for example after a reconnect. */
  invalidateAll(): void {
    for (const entry of this.#entries.values()) this.#scheduleRefetch(entry);
  }

  #entry(name: ProcedureName, input: unknown): CacheEntry {
    const key = `${name} ${JSON.stringify(input)}`;
    const existing = this.#entries.get(key);
    if (existing) return existing;
    const entry: CacheEntry = {
      name,
      input,
      state: LOADING_QUERY,
      isStale: true,
      isFetching: false,
      lastFetchedAt: 0,
      timer: null,
      listeners: new Set(),
    };
    this.#entries.set(key, entry);
    this.#evictUnused();
    return entry;
  }

  /** Evicts the oldest unused entries. Recent ones remain cached, so that returning to a screen is fast. */
  #evictUnused(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= MAX_ENTRIES) return;
      if (entry.listeners.size === 0 && !entry.isFetching) this.#entries.delete(key);
    }
  }

  /** Fetches a query. Runs one request per query at a time, so that frequent changes do not discard slow answers. */
  async #fetch(entry: CacheEntry): Promise<void> {
    entry.isFetching = true;
    entry.isStale = false;
    entry.lastFetchedAt = this.#now();
    if (!entry.state.loading) publish(entry, { ...entry.state, loading: true });
    const answer = await this.#request(entry);
    entry.isFetching = false;
    const needsRefetch = entry.isStale && entry.listeners.size > 0;
    publish(entry, { ...answer, loading: needsRefetch });
    if (needsRefetch) this.#scheduleRefetch(entry);
  }

  async #request({ name, input, state }: CacheEntry): Promise<Omit<QueryState<unknown>, 'loading'>> {
    try {
      return { data: await callProcedure(this.#client, name, input as never), error: null };
    } catch (thrown) {
      return { data: state.data, error: toContractError(thrown) };
    }
  }

  #scheduleRefetch(entry: CacheEntry): void {
    entry.isStale = true;
    if (entry.listeners.size === 0 || entry.isFetching || entry.timer) return;
    const delay = Math.max(0, entry.lastFetchedAt + MIN_REFETCH_INTERVAL_MS - this.#now());
    entry.timer = setTimeout(() => {
      entry.timer = null;
      if (entry.isStale && !entry.isFetching && entry.listeners.size > 0) void this.#fetch(entry);
    }, delay);
  }
}

function publish(entry: CacheEntry, state: QueryState<unknown>): void {
  entry.state = state;
  for (const listener of entry.listeners) listener();
}
