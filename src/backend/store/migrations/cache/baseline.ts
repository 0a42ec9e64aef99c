import type { WritableDb } from '../../sqlite/connection.ts';
import { cacheAllocationTables } from './tables/allocations.ts';
import { cacheArchiveTables } from './tables/archive.ts';
import { checkTables } from './tables/checks.ts';
import { statementTables } from './tables/statements.ts';
import { syncTables } from './tables/sync.ts';
import { webhookTables } from './tables/webhooks.ts';

/** Creates the cache: the database of the service's records and of the sync progress of each part. */
export function up(db: WritableDb): void {
  for (const tables of [
    webhookTables,
    statementTables,
    cacheAllocationTables,
    cacheArchiveTables,
    syncTables,
    checkTables,
  ])
    db.exec(tables);
}
