import { readAuditEntriesOfActions } from '../store/audit-log/audit-entry-list.ts';
import { listJournalDecisions, listJournalEntries } from '../store/general-ledger/journal-entry.ts';
import { listAreaDecisions } from '../store/general-ledger/ledger-account.ts';
import type { DecisionSubject } from './decision-subject.ts';

const JOURNAL_ADD = 'journal.add';

/** Journal decisions by audit action, with the value that the log and the books share. */
const journalActions: Readonly<
  Record<string, readonly [action: string, value: (detail: Record<string, string>, reason: string) => string]>
> = {
  'journal.approve': ['approved', ({ number }) => number ?? ''],
  'journal.discard': ['discarded', (_, reason) => reason],
  'journal.post': ['posted', ({ number }) => number ?? ''],
};

/** Content, approval, posting and disposal of each journal entry. */
const journalEntries: DecisionSubject = {
  *readLog(books) {
    const actions = [JOURNAL_ADD, ...Object.keys(journalActions)];
    for (const { action, subject, at, user, reason, detail } of readAuditEntriesOfActions(books, actions)) {
      const [decided, getValue] = journalActions[action] ?? [];
      if (decided === undefined || getValue === undefined) {
        const { period, template, memo, dated_on, currency, lines } = JSON.parse(detail);
        yield { subject, content: JSON.stringify([period, template, memo, dated_on, currency, lines]) };
      } else
        yield { subject, content: JSON.stringify([at, user, decided, getValue(JSON.parse(detail), reason)]) };
    }
  },
  *readBooks(books) {
    for (const { id, period, template, memo, dated_on, currency, lines } of listJournalEntries(books)) {
      const amounts = lines.map(({ account, debit_in_cents, credit_in_cents }) => [
        account,
        debit_in_cents,
        credit_in_cents,
      ]);
      const content = [period, template, memo, dated_on, currency, amounts];
      yield { subject: `journal-entry:${id}`, content: JSON.stringify(content) };
    }
    for (const { entry_id, at, user, action, value } of listJournalDecisions(books))
      yield { subject: `journal-entry:${entry_id}`, content: JSON.stringify([at, user, action, value]) };
  },
  describe: (subject) => subject.replace('journal-entry:', 'journal entry '),
};

/** The area to which each ledger account is mapped. */
const accountAreas: DecisionSubject = {
  *readLog(books) {
    const latest = new Map<string, [at: number, user: string, area: string | null]>();
    for (const { subject, at, user, detail } of readAuditEntriesOfActions(books, ['ledger.map-account']))
      latest.set(subject, [at, user, JSON.parse(detail).area]);
    for (const [subject, content] of latest)
      if (content[2] !== null) yield { subject, content: JSON.stringify(content) };
  },
  *readBooks(books) {
    for (const { account, changed_at, changed_by, area } of listAreaDecisions(books))
      yield { subject: `ledger-account:${account}`, content: JSON.stringify([changed_at, changed_by, area]) };
  },
  describe: (subject) => `the mapping of ${subject.replace('ledger-account:', 'ledger account ')}`,
};

export const ledgerDecisionSubjects: readonly DecisionSubject[] = [journalEntries, accountAreas];
