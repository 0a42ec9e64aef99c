import type { WriterContext } from '../writerContext.ts';
import { changesStreams } from './commands/changes.ts';
import { jobCommands } from './commands/jobs.ts';
import { settingsCommands } from './commands/settings.ts';
import { siteCommands } from './commands/sites.ts';
import { statementCommands } from './commands/statements.ts';
import { syncCommands } from './commands/sync.ts';

/** The commands and streams of the contract; the queries are the reading half's. */
export function writerRouter(context: WriterContext) {
  return {
    sites: siteCommands(context),
    statements: statementCommands(context),
    sync: syncCommands(context),
    jobs: jobCommands(context),
    changes: changesStreams(context),
    settings: settingsCommands(context),
  };
}
