import { useEffect, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { watchChanges } from './backend/changes.ts';
import type { Backend } from './backend/connect.ts';
import { type ConnectionState, keepConnected } from './backend/connection.ts';
import { type BackendAccess, BackendContext } from './backend/hooks.ts';
import { createQueries } from './backend/queries.ts';
import { ErrorNote } from './errors/error-note.tsx';
import { Frame } from './frame/frame.tsx';
import { loadChosen } from './settings/chosen.ts';
import { followAddress } from './view/view.ts';
import { words } from './words/words.ts';
import './theme/themes.css';
import './theme/base.css';

/** Connects, and keeps every part of the window fed from that one connection. */
export function openBackend(connect: () => Promise<Backend>): BackendAccess {
  const connection = keepConnected(connect);
  const queries = createQueries(connection.client);
  const changes = watchChanges(connection);
  changes.listen((change) => {
    if (change === 'everything') queries.allChanged();
    else queries.changed(change);
  });
  return { connection, queries, changes };
}

/** The window. It shows itself once the settings are known, so that it never changes its look while one watches. */
export function App({ access }: { readonly access: BackendAccess }) {
  const [ready, setReady] = useState(false);
  const [state, setState] = useState<ConnectionState>(access.connection.state.getState);
  useEffect(() => access.connection.state.subscribe(setState), [access]);
  useEffect(() => {
    let stop = () => {};
    const begin = () => {
      stop = followAddress();
      setReady(true);
    };
    // Without settings the window still works, with what holds by default; what is wrong shows where data is asked.
    loadChosen(access.connection.client).then(begin, begin);
    return () => stop();
  }, [access]);
  return (
    <BackendContext value={access}>
      <I18nProvider>
        {state.phase === 'refused' ? (
          <div className="starting">
            <ErrorNote error={state.error} />
          </div>
        ) : ready ? (
          <Frame />
        ) : (
          <p className="starting" role="status">
            {words.frame.starting}
          </p>
        )}
      </I18nProvider>
    </BackendContext>
  );
}
