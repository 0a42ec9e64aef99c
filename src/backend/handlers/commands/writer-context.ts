import type { DailyArchiveCheck } from '../../archive/daily-archive-check.ts';
import type { ImportSession } from '../../bank/import-session.ts';
import type { CommandContext } from '../../jobs/command-context.ts';
import type { ExternalChangeWatcher } from '../../jobs/external-change-watcher.ts';
import type { SearchIndexer } from '../../search-indexing/search-indexer.ts';
import type { SyncSchedules } from '../../sync/sync-schedules.ts';

/** Clock and pacing of the writer. Tests use faster values. */
export interface WriterTiming extends Pick<CommandContext, 'now' | 'pacing'> {
  /** Factor by which the delays of replays and of allocation changes are multiplied. */
  readonly delayScale: number;
  /** Delay in milliseconds from the start of the process to the first daily archive check. */
  readonly archiveCheckDelayMs: number;
}

/** Dependencies of the commands and streams. */
export interface WriterContext extends CommandContext, WriterTiming {
  readonly schedules: SyncSchedules;
  readonly externalChangeWatcher: ExternalChangeWatcher;
  readonly indexing: SearchIndexer;
  readonly dailyArchiveCheck: DailyArchiveCheck;
  readonly importSession: ImportSession;
}
