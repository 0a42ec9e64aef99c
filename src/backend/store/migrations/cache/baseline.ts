import type { WritableDb } from '../../sqlite/connection.ts';
import { allocationsTables } from './tables/allocations.ts';
import { archiveTables } from './tables/archive.ts';
import { checksTables } from './tables/checks.ts';
import { statementsTables } from './tables/statements.ts';
import { syncTables } from './tables/sync.ts';
import { webhooksTables } from './tables/webhooks.ts';

/** Creates the cache: copies of the service's records, and the sync progress of each part. */
export function up(db: WritableDb): void {
  for (const tables of [
    webhooksTables,
    statementsTables,
    allocationsTables,
    archiveTables,
    syncTables,
    checksTables,
  ])
    db.exec(tables);
}
