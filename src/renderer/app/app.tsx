import { type ReactNode, useEffect, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { type BackendAccess, BackendContext } from '../backend-client/backend-hooks.ts';
import { createChangeFeed } from '../backend-client/change-feed.ts';
import type { BackendSession } from '../backend-client/connect-backend.ts';
import { QueryCache } from '../backend-client/query-cache.ts';
import {
  type ConnectionState,
  createReconnectingConnection,
} from '../backend-client/reconnecting-connection.ts';
import { registerCommands } from '../commands/command-registry.ts';
import { followBrowserHistory } from '../navigation/window-state.ts';
import { dateFormatLocales } from '../texts/display-formats.ts';
import { loadUserSettings, useUserSettings } from '../user-settings/user-settings.ts';
import { useWindowShell } from '../window-shell/window-shell.ts';
import { allCommands } from './all-commands.ts';
import { AppShell } from './app-shell.tsx';
import { RefusedScreen } from './refused-screen.tsx';
import { StartScreen } from './start-screen.tsx';
import '../theme/themes.css';
import '../theme/base.css';
import '../theme/forced-colors.css';

registerCommands(allCommands);

/** Creates the connection, query cache and change feed that all parts of the window share. */
export function createBackendAccess(connect: () => Promise<BackendSession>): BackendAccess {
  const connection = createReconnectingConnection(connect);
  const queries = new QueryCache(connection.client);
  const changes = createChangeFeed(connection);
  connection.state.subscribe(() => useWindowShell.setState({ shell: connection.windowShell() }));
  changes.subscribe((change) => {
    if (change === 'everything') queries.invalidateAll();
    else queries.invalidate(change);
  });
  return { connection, queries, changes };
}

/** Root component. Renders after the user settings have loaded, so that the theme does not visibly change. */
export function App({ access }: { readonly access: BackendAccess }) {
  const [isReady, setReady] = useState(false);
  const [state, setState] = useState<ConnectionState>(access.connection.state.getState);
  useEffect(() => access.connection.state.subscribe(setState), [access]);
  useEffect(() => {
    let stopFollowing = () => {};
    const start = () => {
      stopFollowing = followBrowserHistory();
      setReady(true);
    };
    // If the settings cannot be loaded, the window starts with defaults, and the first query shows the error.
    loadUserSettings(access.connection.client).then(start, start);
    const unsubscribe = access.changes.subscribe((change) => {
      if (change === 'everything' || change.topics.includes('settings'))
        loadUserSettings(access.connection.client).catch(() => undefined);
    });
    return () => {
      unsubscribe();
      stopFollowing();
    };
  }, [access]);
  return (
    <BackendContext value={access}>
      <FormattedWindow>{windowContent(state, isReady)}</FormattedWindow>
    </BackendContext>
  );
}

/** Renders the whole window again after the date or number format changes. Date fields use the date format too. */
function FormattedWindow({ children }: { readonly children: ReactNode }) {
  const date = useUserSettings((settings) => settings['format.date']);
  const number = useUserSettings((settings) => settings['format.number']);
  const locale = dateFormatLocales[date];
  return (
    <I18nProvider key={`${date} ${number}`} {...(locale !== undefined && { locale })}>
      {children}
    </I18nProvider>
  );
}

function windowContent(state: ConnectionState, isReady: boolean): ReactNode {
  if (state.phase === 'refused') return <RefusedScreen error={state.error} />;
  return isReady ? <AppShell /> : <StartScreen />;
}
