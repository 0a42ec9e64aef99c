import type { WritableDb } from '../../database.ts';

/** What a replay is doing, so that others than the one who runs it can show it; order within a subscription. */
export function up(db: WritableDb): void {
  db.exec(`
    ALTER TABLE replay_plan_item ADD COLUMN subscription_id INTEGER;
    ALTER TABLE replay_item ADD COLUMN subscription_id INTEGER;

    -- ordered: 1 where at most one webhook of a subscription is underway. live: how it stands, as last shown.
    -- counts: by outcome, when it last ended.
    ALTER TABLE replay_job ADD COLUMN ordered INTEGER NOT NULL DEFAULT 0 CHECK (ordered IN (0, 1));
    ALTER TABLE replay_job ADD COLUMN paused_by TEXT
      CHECK (paused_by IS NULL OR paused_by IN ('user', 'key', 'breaker', 'refusals'));
    ALTER TABLE replay_job ADD COLUMN live TEXT;
    ALTER TABLE replay_job ADD COLUMN counts TEXT;
    CREATE INDEX replay_job_plan ON replay_job (plan);
  `);
}
