import type { WritableDb } from '../../sqlite/connection.ts';
import { alertTables } from './tables/alerts.ts';
import { booksAllocationTables } from './tables/allocations.ts';
import { booksArchiveTables } from './tables/archive.ts';
import { auditLogTables } from './tables/audit-log.ts';
import { bankTables } from './tables/bank.ts';
import { closedFiguresTables } from './tables/closed-figures.ts';
import { commentTables } from './tables/comments.ts';
import { exceptionTables } from './tables/exceptions.ts';
import { generalLedgerTables } from './tables/general-ledger.ts';
import { incidentTables } from './tables/incidents.ts';
import { jobTables } from './tables/jobs.ts';
import { matchingTables } from './tables/matching.ts';
import { periodLockTables } from './tables/period-lock.ts';
import { periodTables } from './tables/periods.ts';
import { replayTables } from './tables/replay.ts';
import { workpaperTables } from './tables/workpapers.ts';

/** Creates the books: the database of people's decisions, which the service cannot provide again. */
export function up(db: WritableDb): void {
  for (const tables of [
    jobTables,
    replayTables,
    incidentTables,
    alertTables,
    auditLogTables,
    exceptionTables,
    booksAllocationTables,
    bankTables,
    matchingTables,
    commentTables,
    booksArchiveTables,
    workpaperTables,
    periodTables,
    closedFiguresTables,
    periodLockTables,
    generalLedgerTables,
  ])
    db.exec(tables);
}
