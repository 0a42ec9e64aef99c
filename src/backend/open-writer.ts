import { createWriterContext } from './create-writer-context.ts';
import { writerRouter } from './handlers/command-router.ts';
import type { Tuning } from './handlers/commands/writer-context.ts';
import { serveRouter } from './handlers/serve.ts';
import type { Backend, BackendStartOptions } from './shared/start-options.ts';

/** Opens the writer: the contract's commands and streams, jobs, and every write to the databases. */
export function openWriter(start: BackendStartOptions, tuning?: Partial<Tuning>): Backend {
  const context = createWriterContext(start, tuning);
  const served = serveRouter(writerRouter(context), start.log);
  return {
    link: served.link,
    serve: served.serve,
    async close() {
      context.elsewhere.close();
      context.schedules.close();
      await context.jobs.close();
      await context.indexing.close();
      await context.dailyReading.close();
      served.close();
      context.desk.close();
      context.stores.closeAll();
    },
  };
}
