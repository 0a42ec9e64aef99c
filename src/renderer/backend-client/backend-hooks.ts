import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useStore } from 'zustand';
import { type Client, type ErrorValue, errorOf, type Job } from '../../contract/index.ts';
import type { ChangeFeed } from './change-feed.ts';
import { createLatestOnlyRunner } from './latest-only.ts';
import type { ProcedureInput, ProcedureName, ProcedureOutput } from './procedures.ts';
import type { QueryCache, QueryState } from './query-cache.ts';
import type { ConnectionState, ReconnectingConnection } from './reconnecting-connection.ts';

/** Access to the backend for all parts of the window. */
export interface BackendAccess {
  readonly connection: ReconnectingConnection;
  readonly queries: QueryCache;
  readonly changes: ChangeFeed;
}

export const BackendContext = createContext<BackendAccess | null>(null);

/** Returns the window's access to the backend. @throws outside of `BackendContext`. */
export function useBackend(): BackendAccess {
  const access = useContext(BackendContext);
  if (!access) throw new Error('outside of BackendContext');
  return access;
}

/** Returns the contract client for commands. Data to be displayed is read with `useQuery`. */
export function useContractClient(): Client {
  return useBackend().connection.client;
}

/** Returns the state of the connection to the backend. */
export function useConnectionState(): ConnectionState {
  return useStore(useBackend().connection.state);
}

const IDLE_QUERY: QueryState<never> = { data: undefined, error: null, loading: false };

export interface QueryResult<T> extends QueryState<T> {
  /** True if the data answers the previous input. Such data may be shown but must not be acted on. */
  readonly isPreviousData: boolean;
}

/**
 * Returns the answer to a query and refetches it when the backend reports changes. After a change of the input, the previous data stays
 * until the new answer arrives. A `null` input fetches nothing.
 */
export function useQuery<P extends ProcedureName>(
  name: P,
  input: ProcedureInput<P> | null,
): QueryResult<ProcedureOutput<P>> {
  const { queries } = useBackend();
  const key = JSON.stringify(input);
  const inputRef = useRef(input);
  if (JSON.stringify(inputRef.current) !== key) inputRef.current = input;
  const stableInput = inputRef.current;
  const subscribe = useCallback(
    (listener: () => void) =>
      stableInput === null ? () => undefined : queries.subscribe(name, stableInput, listener),
    [queries, name, stableInput],
  );
  const answer = useSyncExternalStore(subscribe, () =>
    stableInput === null ? IDLE_QUERY : queries.read(name, stableInput),
  );
  const last = useRef<ProcedureOutput<P> | undefined>(undefined);
  useEffect(() => {
    last.current = stableInput === null ? undefined : (answer.data ?? last.current);
  });
  if (answer.data !== undefined || stableInput === null || last.current === undefined || answer.error)
    return { ...answer, isPreviousData: false };
  return { ...answer, data: last.current, isPreviousData: true };
}

interface ActionState<T> {
  readonly running: boolean;
  readonly error: ErrorValue | null;
  readonly done: T | null;
}

const idleAction = { running: false, error: null, done: null } as const;

export interface Action<Args extends readonly unknown[], T> extends ActionState<T> {
  /** Resolves to null if the action failed (see `error`), was already running, or was superseded. */
  run(...args: Args): Promise<T | null>;
  reset(): void;
}

/** Returns an action that the user starts. It runs at most once at a time, and its error is kept for display. */
export function useAction<Args extends readonly unknown[], T>(
  perform: (...args: Args) => Promise<T>,
): Action<Args, T> {
  const [state, setState] = useState<ActionState<T>>(idleAction);
  const running = useRef(false);
  const latest = useRef(perform);
  useEffect(() => {
    latest.current = perform;
  });
  const run = useCallback(async (...args: Args) => {
    if (running.current) return null;
    running.current = true;
    setState((before) => ({ ...before, running: true, error: null }));
    try {
      const done = await latest.current(...args);
      setState({ running: false, error: null, done });
      return done;
    } catch (thrown) {
      setState({ running: false, error: errorOf(thrown), done: null });
      return null;
    } finally {
      running.current = false;
    }
  }, []);
  const reset = useCallback(() => setState(idleAction), []);
  return { ...state, run, reset };
}

/** Returns an action that is repeated with each change of its input. Only the latest run counts; `reset` discards that run too. */
export function useLatestAction<Args extends readonly unknown[], T>(
  perform: (...args: Args) => Promise<T>,
): Action<Args, T> {
  const [state, setState] = useState<ActionState<T>>(idleAction);
  const [runner] = useState(createLatestOnlyRunner);
  const latest = useRef(perform);
  useEffect(() => {
    latest.current = perform;
  });
  const run = useCallback(
    async (...args: Args) => {
      setState((before) => ({ ...before, running: true, error: null }));
      try {
        const result = await runner.run(() => latest.current(...args));
        if (result === null) return null;
        setState({ running: false, error: null, done: result.done });
        return result.done;
      } catch (thrown) {
        setState({ running: false, error: errorOf(thrown), done: null });
        return null;
      }
    },
    [runner],
  );
  const reset = useCallback(() => {
    runner.discard();
    setState(idleAction);
  }, [runner]);
  return { ...state, run, reset };
}

/** Returns a job and follows its progress; null until it is known. */
export function useJob(site: string, id: string | null): Job | null {
  const client = useContractClient();
  const phase = useConnectionState().phase;
  const [job, setJob] = useState<Job | null>(null);
  useEffect(() => {
    if (!id || phase !== 'open') return;
    const controller = new AbortController();
    const watch = async () => {
      const states = await client.jobs.watch({ site, job: id }, { signal: controller.signal });
      for await (const state of states) setJob(state);
    };
    // No error is shown for an abort or a lost connection: the app shell shows the latter.
    watch().catch(() => undefined);
    return () => controller.abort();
  }, [client, site, id, phase]);
  return job && job.id === id ? job : null;
}
