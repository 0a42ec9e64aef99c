import type { Change } from '../../contract/index.ts';
import type { Connection } from './connection.ts';

type ChangeListener = (change: Change | 'everything') => void;

/** The backend's data-changed events, as long as the window lives. */
export interface Changes {
  listen(listener: ChangeListener): () => void;
}

/**
 * Listens for changes whenever connected. What happened while it could not listen counts as `everything`: so it does at first, for a
 * question may be answered before a busy writer has heard that somebody listens.
 */
export function watchChanges(connection: Connection): Changes {
  const listeners = new Set<ChangeListener>();
  const tell = (change: Change | 'everything') => {
    for (const listener of listeners) listener(change);
  };

  async function watch(): Promise<void> {
    try {
      const changes = await connection.client.changes.watch({});
      tell('everything');
      for await (const change of changes) tell(change);
    } catch {
      // The connection ended: the next one begins anew, and whoever shows the connection's state says so.
    }
  }

  const begin = (state = connection.state.getState()) => {
    if (state.phase === 'open') void watch();
  };
  begin();
  connection.state.subscribe(begin);
  connection.onRestored(() => tell('everything'));
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
