import type { WritableDb } from '../../sqlite/connection.ts';
import { allocationsTables } from './tables/allocations.ts';
import { archiveTables } from './tables/archive.ts';
import { auditLogTables } from './tables/audit-log.ts';
import { bankTables } from './tables/bank.ts';
import { closedFiguresTables } from './tables/closed-figures.ts';
import { exceptionsTables } from './tables/exceptions.ts';
import { jobsTables } from './tables/jobs.ts';
import { matchingTables } from './tables/matching.ts';
import { periodLockTables } from './tables/period-lock.ts';
import { periodsTables } from './tables/periods.ts';
import { replayTables } from './tables/replay.ts';
import { workpapersTables } from './tables/workpapers.ts';

/** Creates the books database, which stores people's decisions. They cannot be fetched again. */
export function up(db: WritableDb): void {
  for (const tables of [
    jobsTables,
    replayTables,
    auditLogTables,
    exceptionsTables,
    allocationsTables,
    bankTables,
    matchingTables,
    archiveTables,
    workpapersTables,
    periodsTables,
    closedFiguresTables,
    periodLockTables,
  ])
    db.exec(tables);
}
