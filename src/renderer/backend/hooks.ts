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
import type { Changes } from './changes.ts';
import type { Connection, ConnectionState } from './connection.ts';
import { createNewest } from './newest.ts';
import type { InputOf, Name, OutputOf } from './procedures.ts';
import type { Answer, Queries } from './queries.ts';

/** What the window's parts have of the backend. */
export interface BackendAccess {
  readonly connection: Connection;
  readonly queries: Queries;
  readonly changes: Changes;
}

export const BackendContext = createContext<BackendAccess | null>(null);

/** The way to the backend that the window was started with. @throws outside of `BackendContext`. */
export function useBackend(): BackendAccess {
  const access = useContext(BackendContext);
  if (!access) throw new Error('outside of BackendContext');
  return access;
}

/** The contract's procedures, to be called. Answers that are shown and followed come by `useQuery`. */
export function useClient(): Client {
  return useBackend().connection.client;
}

/** Whether the backend is connected, and since when it is not. */
export function useConnectionState(): ConnectionState {
  return useStore(useBackend().connection.state);
}

const NOTHING: Answer<never> = { data: undefined, error: null, loading: false };

export interface Shown<T> extends Answer<T> {
  /** The data is the answer to what was asked before: nothing is done to it as if it were what was asked for. */
  readonly former: boolean;
}

/**
 * The answer to a query, kept up to date by the backend's changes. With another input the last answer stays (`data`)
 * until the new one is there; `null` asks nothing.
 */
export function useQuery<P extends Name>(name: P, input: InputOf<P> | null): Shown<OutputOf<P>> {
  const { queries } = useBackend();
  const key = JSON.stringify(input);
  const asked = useRef(input);
  if (JSON.stringify(asked.current) !== key) asked.current = input;
  const question = asked.current;
  const subscribe = useCallback(
    (listener: () => void) =>
      question === null ? () => undefined : queries.subscribe(name, question, listener),
    [queries, name, question],
  );
  const answer = useSyncExternalStore(subscribe, () =>
    question === null ? NOTHING : queries.read(name, question),
  );
  const last = useRef<OutputOf<P> | undefined>(undefined);
  useEffect(() => {
    last.current = question === null ? undefined : (answer.data ?? last.current);
  });
  if (answer.data !== undefined || question === null || last.current === undefined || answer.error)
    return { ...answer, former: false };
  return { ...answer, data: last.current, former: true };
}

interface ActionState<T> {
  readonly running: boolean;
  readonly error: ErrorValue | null;
  readonly done: T | null;
}

const idle = { running: false, error: null, done: null } as const;

export interface Action<Args extends readonly unknown[], T> extends ActionState<T> {
  /** Resolves to null where it failed, which `error` tells, or did not count. */
  run(...args: Args): Promise<T | null>;
  reset(): void;
}

/** Something a person starts: at most one at a time, with its error kept to be shown. */
export function useAction<Args extends readonly unknown[], T>(
  act: (...args: Args) => Promise<T>,
): Action<Args, T> {
  const [state, setState] = useState<ActionState<T>>(idle);
  const running = useRef(false);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
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
  const reset = useCallback(() => setState(idle), []);
  return { ...state, run, reset };
}

/** Something that is done again with every change of mind: only what comes of the newest counts, and `reset` forgets that too. */
export function useNewest<Args extends readonly unknown[], T>(
  act: (...args: Args) => Promise<T>,
): Action<Args, T> {
  const [state, setState] = useState<ActionState<T>>(idle);
  const [newest] = useState(createNewest);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  const run = useCallback(
    async (...args: Args) => {
      setState((before) => ({ ...before, running: true, error: null }));
      try {
        const came = await newest.run(() => latest.current(...args));
        if (came === null) return null;
        setState({ running: false, error: null, done: came.done });
        return came.done;
      } catch (thrown) {
        setState({ running: false, error: errorOf(thrown), done: null });
        return null;
      }
    },
    [newest],
  );
  const reset = useCallback(() => {
    newest.forget();
    setState(idle);
  }, [newest]);
  return { ...state, run, reset };
}

/** A job as it goes on; null until it is known. */
export function useJob(site: string, id: string | null): Job | null {
  const client = useClient();
  const phase = useConnectionState().phase;
  const [job, setJob] = useState<Job | null>(null);
  useEffect(() => {
    if (!id || phase !== 'open') return;
    const end = new AbortController();
    const watch = async () => {
      const states = await client.jobs.watch({ site, job: id }, { signal: end.signal });
      for await (const state of states) setJob(state);
    };
    // Its end by `end` or by the connection needs no word: the frame shows the latter.
    watch().catch(() => undefined);
    return () => end.abort();
  }, [client, site, id, phase]);
  return job && job.id === id ? job : null;
}
