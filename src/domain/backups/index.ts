/** Rules for how long backups are retained. */
export { type DatedBackup, selectRetainedBackups } from './retention.ts';
