import type { DailyArchiveCheck } from '../../archive/daily-check.ts';
import type { ImportSession } from '../../bank/desk.ts';
import type { CommandContext } from '../../jobs/command-context.ts';
import type { ExternalChangeWatcher } from '../../jobs/external-change-watcher.ts';
import type { SearchIndexing } from '../../search-indexing/search-indexing.ts';
import type { Schedules } from '../../sync/sync-schedules.ts';

/** Clock and pacing of the writer. Tests speed them up. */
export interface Tuning extends Pick<CommandContext, 'now' | 'pacing'> {
  /** Factor for every delay of a replay. */
  readonly waits: number;
  /** Milliseconds from the start until the daily check of the archives begins. */
  readonly readingFrom: number;
}

/** Dependencies of the commands and streams. */
export interface WriterContext extends CommandContext, Tuning {
  readonly schedules: Schedules;
  readonly elsewhere: ExternalChangeWatcher;
  readonly indexing: SearchIndexing;
  readonly dailyReading: DailyArchiveCheck;
  readonly desk: ImportSession;
}
