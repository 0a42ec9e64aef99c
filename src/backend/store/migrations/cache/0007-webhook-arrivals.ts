import type { WritableDb } from '../../database.ts';

/**
 * What new webhooks add to the counts, to the list of what the search lacks and to what is to be checked is written once a
 * page, by `noteArrivals`; as triggers it was written once a row, and took a third of the time of a first sync.
 */
export function up(db: WritableDb): void {
  db.exec(`
    DROP TRIGGER webhook_added;
    DROP TRIGGER webhook_unindexed_new;
    DROP TRIGGER webhook_to_check;
  `);
}
