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
import { type BackendClient, type ErrorValue, type Job, toContractError } from '../../contract/index.ts';
import { type ActionRunner, createLatestOnlyRunner, createNonOverlappingRunner } from './action-runners.ts';
import type { ChangeFeed } from './change-feed.ts';
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

/** Returns the window's access to the backend. @throws if used outside of `BackendContext`. */
export function useBackend(): BackendAccess {
  const access = useContext(BackendContext);
  if (!access) throw new Error('outside of BackendContext');
  return access;
}

/** Returns the client of the backend contract, for commands. Data to be displayed is read with `useQuery`. */
export function useContractClient(): BackendClient {
  return useBackend().connection.client;
}

/** Returns the state of the connection to the backend. */
export function useConnectionState(): ConnectionState {
  return useStore(useBackend().connection.state);
}

const IDLE_QUERY: QueryState<never> = { data: undefined, error: null, loading: false };

export interface QueryResult<T> extends QueryState<T> {
  /** True if the data is the answer to the previous input. Such data may be shown, but no action may rely on it. */
  readonly isPreviousData: boolean;
}

/**
 * Returns the answer to a query, and refetches it when the backend reports changes. A null input fetches nothing. After
 * the input has changed, the previous data remains available until the new answer arrives.
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

export interface ActionHandle<Args extends readonly unknown[], T> extends ActionState<T> {
  /** Runs the action. Resolves to null if the action failed (see `error`), was already running, or was superseded. */
  run(...args: Args): Promise<T | null>;
  reset(): void;
}

/** Returns an action that the user starts. Only one run is active at a time, and its error is stored for display. */
export function useAction<Args extends readonly unknown[], T>(
  perform: (...args: Args) => Promise<T>,
): ActionHandle<Args, T> {
  return useScheduledAction(perform, createNonOverlappingRunner);
}

/** Returns an action whose later runs supersede earlier ones. `reset` also discards the result of a run in progress. */
export function useLatestOnlyAction<Args extends readonly unknown[], T>(
  perform: (...args: Args) => Promise<T>,
): ActionHandle<Args, T> {
  return useScheduledAction(perform, createLatestOnlyRunner);
}

function useScheduledAction<Args extends readonly unknown[], T>(
  perform: (...args: Args) => Promise<T>,
  createRunner: () => ActionRunner,
): ActionHandle<Args, T> {
  const [state, setState] = useState<ActionState<T>>(idleAction);
  const [runner] = useState(createRunner);
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
        setState({ running: false, error: toContractError(thrown), done: null });
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

/** Returns a job and keeps its progress up to date. Returns null until the job has loaded. */
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
    // Shows no error for an abort or a lost connection. The app shell already shows a lost connection.
    watch().catch(() => undefined);
    return () => controller.abort();
  }, [client, site, id, phase]);
  return job && job.id === id ? job : null;
}
