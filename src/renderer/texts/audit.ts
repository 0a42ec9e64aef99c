import type { AuditTimeStamp } from '../../contract/index.ts';
import { describeTimeStamp, getAuditActionLabel } from '../../domain/labels/audit.ts';
import { describeAuditSubject } from '../../domain/labels/audit-entries.ts';
import { formatDateTimeWithSeconds, formatMonth } from './date-times.ts';
import { formatCountWithNoun } from './numbers.ts';

const MONTH = /^\d{4}-\d\d$/;

/** Returns a noun phrase for the record that an entry is about. A period is named by its month. */
const describeSubject: typeof describeAuditSubject = (entry) =>
  MONTH.test(entry.subject) ? formatMonth(entry.subject) : describeAuditSubject(entry);

export const auditTexts = {
  title: 'Audit log',
  grid: 'Audit log',
  action: getAuditActionLabel,
  subject: describeSubject,
  search: 'Search audit entries',
  filters: { area: 'Area', user: 'User', days: 'Day', subject: 'Subject' },
  detail: (seq: number) => `Entry ${seq}`,
  notFound: 'The audit log has no entry with this number.',
  openRecord: 'Open record',
  technical: 'Technical details',
  noneTitle: 'No matching entries',
  noneText: 'No audit entry matches these filters.',
  verify: 'Verify',
  intact: (entries: number) =>
    `The audit log is intact: ${formatCountWithNoun(entries, 'entry', 'entries')}.`,
  intactText:
    'All hashes match, the stored decisions agree with the log, and the log is no shorter than last recorded. Only a receipt stored outside this computer proves more.',
  broken: (seq: number) => `Entry ${seq} does not match its hash.`,
  brokenAnywhere: 'The decisions or their audit log were changed.',
  receipt: 'Receipt',
  receiptHint:
    'Keep this receipt outside this computer, for example in a printed report or an email. It can later prove that no entry up to now was changed, removed or added.',
  copyReceipt: 'Copy receipt',
  knownHash: 'Receipt you stored earlier',
  invalidHash: 'Enter a receipt of 64 characters (0–9 and a–f).',
  compare: 'Compare',
  knownHashFound: (seq: number) => `The receipt proves that entries 1–${seq} are unchanged.`,
  timeStamp: 'Time-stamp',
  timeStampAuthority: 'Address of a time-stamp authority (RFC 3161)',
  invalidAuthority: 'Enter an address that starts with https:// or http://.',
  timeStampHint: 'Only the receipt is sent. The time stamp becomes an entry of the audit log.',
  describeTimeStamp: (stamp: AuditTimeStamp) => describeTimeStamp(stamp, formatDateTimeWithSeconds),
  columns: {
    seq: 'No.',
    at: 'Time',
    user: 'User',
    action: 'Action',
    subject: 'Subject',
    subjectId: 'Subject ID',
    reason: 'Reason',
    detail: 'Details',
    hash: 'SHA-256',
  },
  emptyTitle: 'No audit entries yet',
  emptyText:
    'The audit log records what people do on this site, for example decisions about exceptions, rule changes and replays.',
  fineprint: 'User names come from this computer’s accounts and are not verified.',
};
