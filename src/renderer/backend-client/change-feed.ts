import type { ChangeEvent } from '../../contract/index.ts';
import type { ReconnectingConnection } from './reconnecting-connection.ts';

type ChangeListener = (change: ChangeEvent | 'everything') => void;

/** Change events received from the backend during the lifetime of the window. */
export interface ChangeFeed {
  subscribe(listener: ChangeListener): () => void;
}

/**
 * Creates a feed of changes. The feed emits `everything` after each gap in which it received no changes. The startup
 * counts as a gap, because a query may be answered before a busy writer registers the feed.
 */
export function createChangeFeed(connection: ReconnectingConnection): ChangeFeed {
  const listeners = new Set<ChangeListener>();
  const emit = (change: ChangeEvent | 'everything') => {
    for (const listener of listeners) listener(change);
  };

  async function watch(): Promise<void> {
    try {
      const changes = await connection.client.changes.watch({});
      emit('everything');
      for await (const change of changes) emit(change);
    } catch {
      // The connection has ended. Watching restarts with the next connection.
    }
  }

  const watchIfOpen = (state = connection.state.getState()) => {
    if (state.phase === 'open') void watch();
  };
  watchIfOpen();
  connection.state.subscribe(watchIfOpen);
  connection.onReconnected(() => emit('everything'));
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
