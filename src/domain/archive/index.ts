/** Archive rules: names of exported files, document retention and the rotation of archive checks. */

export { type CheckRotation, ROTATION_DAYS, scheduleDailyCheck } from './check-rotation.ts';
export {
  createFolderCaseUnifier,
  DEFAULT_NAME_TEMPLATE,
  type ExportNameTemplate,
  parseNameTemplate,
  type StatementNameFields,
} from './export-names.ts';
export {
  DEFAULT_RETENTION_YEARS,
  findLastRetentionDay,
  findNewestDatePastRetention,
  isPastRetention,
} from './retention.ts';
