import { createWriterContext } from './create-writer-context.ts';
import { createWriterRouter } from './handlers/command-router.ts';
import type { WriterTiming } from './handlers/commands/writer-context.ts';
import { serveRouter } from './handlers/serve-router.ts';
import type { Backend, BackendStartOptions } from './shared/backend-start-options.ts';

/** Opens the writer, which runs the contract's commands, streams and jobs. All database writes happen in the writer. */
export function openBackendWriter(start: BackendStartOptions, tuning?: Partial<WriterTiming>): Backend {
  const context = createWriterContext(start, tuning);
  const served = serveRouter(createWriterRouter(context), start.log);
  return {
    link: served.link,
    serve: served.serve,
    hasProcedure: served.hasProcedure,
    async close() {
      context.externalChangeWatcher.close();
      context.schedules.close();
      await context.jobs.close();
      await context.indexing.close();
      await context.dailyArchiveCheck.close();
      served.close();
      context.importSession.close();
      context.stores.closeAll();
    },
  };
}
