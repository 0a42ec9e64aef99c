import { counted } from './numbers.ts';

export const auditWords = {
  title: 'Audit log',
  grid: 'Audit log',
  verify: 'Verify',
  intact: (entries: number) => `The audit log is intact: ${counted(entries, 'entry', 'entries')}.`,
  intactText:
    'Each entry carries the hash of the one before it; every hash was worked out anew, and the log is no shorter than it was noted to be. Only a hash kept out of reach of this computer proves more.',
  broken: (seq: number) => `Entry ${seq} does not hold.`,
  brokenAnywhere: 'The audit log does not hold.',
  head: 'Hash of the last entry',
  headText: 'Note it elsewhere, in a report or a mail: it shows later that nothing up to it was changed.',
  copyHead: 'Copy the hash',
  noted: 'A hash you noted earlier',
  notedNeeded: 'A hash has 64 signs, 0 to 9 and a to f.',
  compare: 'Look for it',
  notedAt: (seq: number) => `Entry ${seq} carries the hash you noted: nothing up to it was changed since.`,
  columns: {
    seq: 'No.',
    at: 'When',
    who: 'Who',
    action: 'Action',
    subject: 'What',
    why: 'Reason',
    detail: 'Details',
    hash: 'SHA-256',
  },
  emptyTitle: 'Nothing was done yet',
  emptyText: 'What people do on this site is kept here: decisions about exceptions, rules switched, replays.',
  fineprint: 'Names are those of this computer’s users: an assertion, no proof.',
};
