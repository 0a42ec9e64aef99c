import { getAuditActionLabel } from '../../domain/labels/audit.ts';
import { formatCountWithNoun } from './numbers.ts';

export const auditTexts = {
  title: 'Audit log',
  grid: 'Audit log',
  action: getAuditActionLabel,
  verify: 'Verify',
  intact: (entries: number) =>
    `The audit log is intact: ${formatCountWithNoun(entries, 'entry', 'entries')}.`,
  intactText:
    'All hashes were recomputed and match, and the log is no shorter than last recorded. Only a hash stored outside this computer proves more.',
  broken: (seq: number) => `Entry ${seq} does not match its hash.`,
  brokenAnywhere: 'The audit log is not intact.',
  lastHash: 'Hash of the last entry',
  lastHashHint:
    'Record this hash outside this computer, for example in a report or an email. It can later prove that no earlier entry was changed.',
  copyHash: 'Copy hash',
  knownHash: 'Hash you recorded earlier',
  invalidHash: 'Enter a hash of 64 characters (0–9 and a–f).',
  compare: 'Compare',
  knownHashFound: (seq: number) =>
    `The recorded hash belongs to entry ${seq}. Entries up to it have not been changed since.`,
  columns: {
    seq: 'No.',
    at: 'Time',
    user: 'User',
    action: 'Action',
    subject: 'Subject',
    reason: 'Reason',
    detail: 'Details',
    hash: 'SHA-256',
  },
  emptyTitle: 'No audit entries yet',
  emptyText:
    'The audit log records what people do on this site, for example decisions about exceptions, rule changes and replays.',
  fineprint: 'User names come from this computer’s accounts and are not verified.',
};
