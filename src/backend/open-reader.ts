import { readerRouter } from './handlers/query-router.ts';
import { serveRouter } from './handlers/serve.ts';
import { type Backend, type BackendStartOptions, UNKNOWN_USER } from './shared/start-options.ts';
import { createReadOnlyDatabases } from './sites/read-only-databases.ts';

/** Opens the reader: the contract's queries over databases opened for reading. */
export function openReader({ home, version, shell, log, user = UNKNOWN_USER }: BackendStartOptions): Backend {
  const stores = createReadOnlyDatabases(home);
  const served = serveRouter(readerRouter({ home, version, user, shell, stores }), log);
  return {
    link: served.link,
    serve: served.serve,
    async close() {
      served.close();
      stores.close();
    },
  };
}
