import { allocationCommands } from './commands/allocations.ts';
import { archiveCommands } from './commands/archive.ts';
import { backupCommands } from './commands/backups.ts';
import { bankCommands } from './commands/bank.ts';
import { changesStreams } from './commands/changes.ts';
import { checkCommands, exceptionCommands } from './commands/checks.ts';
import { jobCommands } from './commands/jobs.ts';
import { matchCommands } from './commands/match.ts';
import { packCommands } from './commands/packs.ts';
import { periodCommands } from './commands/periods.ts';
import { replayCommands } from './commands/replay.ts';
import { reportCommands } from './commands/reports.ts';
import { searchCommands } from './commands/search.ts';
import { settingsCommands } from './commands/settings.ts';
import { siteCommands } from './commands/sites.ts';
import { statementCommands } from './commands/statements.ts';
import { syncCommands } from './commands/sync.ts';
import { workpaperCommands } from './commands/workpapers.ts';
import type { WriterContext } from './commands/writer-context.ts';

/** Implements the commands and streams of the contract. The reader implements the queries. */
export function createWriterRouter(context: WriterContext) {
  return {
    sites: siteCommands(context),
    archive: archiveCommands(context),
    backups: backupCommands(context),
    statements: statementCommands(context),
    allocations: allocationCommands(context),
    sync: syncCommands(context),
    replay: replayCommands(context),
    check: checkCommands(context),
    exceptions: exceptionCommands(context),
    bank: bankCommands(context),
    match: matchCommands(context),
    workpapers: workpaperCommands(context),
    packs: packCommands(context),
    reports: reportCommands(context),
    periods: periodCommands(context),
    jobs: jobCommands(context),
    search: searchCommands(context),
    changes: changesStreams(context),
    settings: settingsCommands(context),
  };
}
