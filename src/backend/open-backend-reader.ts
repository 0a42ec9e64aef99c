import { createReaderRouter } from './handlers/query-router.ts';
import { serveRouter } from './handlers/serve-router.ts';
import { type Backend, type BackendStartOptions, UNKNOWN_USER } from './shared/backend-start-options.ts';
import { ReadOnlyDatabases } from './sites/read-only-databases.ts';

/** Opens the reader, which answers the contract's queries from databases opened for reading. */
export function openBackendReader(start: BackendStartOptions): Backend {
  const { home, version, shell, log, user = UNKNOWN_USER } = start;
  const stores = new ReadOnlyDatabases(home);
  const served = serveRouter(createReaderRouter({ home, version, user, shell, stores }), log);
  return {
    link: served.link,
    serve: served.serve,
    hasProcedure: served.hasProcedure,
    async close() {
      served.close();
      stores.close();
    },
  };
}
