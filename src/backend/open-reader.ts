import { createReadStores } from './handlers/read-stores.ts';
import { readerRouter } from './handlers/reader.ts';
import { serveRouter } from './handlers/serve.ts';
import { type Backend, type Start, UNKNOWN_USER } from './start.ts';

/** Opens the reading half of the backend: the contract's queries, over stores opened for reading. */
export function openReader({ home, version, shell, log, user = UNKNOWN_USER }: Start): Backend {
  const stores = createReadStores(home);
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
