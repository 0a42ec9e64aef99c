import { serveRouter } from './handlers/serve.ts';
import { writerRouter } from './handlers/writer.ts';
import type { Backend, Start } from './start.ts';
import { createWriterContext, type Tuning } from './writer-context.ts';

/** Opens the writing half of the backend: the contract's commands and streams, jobs, and every write to the stores. */
export function openWriter(start: Start, tuning?: Partial<Tuning>): Backend {
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
