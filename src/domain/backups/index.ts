/** Retention of backups. */
export { type DatedBackup, selectRetainedBackups } from './retention.ts';
