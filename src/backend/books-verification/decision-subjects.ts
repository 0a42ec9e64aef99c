import type { Attachment } from '../../contract/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { readAuditEntriesOfActions } from '../store/audit-log/audit-entry-list.ts';
import { readUserExceptionEntries } from '../store/checks/exception.ts';
import { formatCommentSubject, readAllComments } from '../store/comments/comment.ts';
import {
  type ChecklistStepRow,
  formatChecklistSubject,
  listAllChecklistStepRows,
} from '../store/periods/checklist-step.ts';
import { readItemExplanations } from '../store/periods/closed-outstanding-item.ts';
import { listPeriodEntries, listStoredPeriods, type NewPeriodEntry } from '../store/periods/period.ts';
import {
  derivePeriodState,
  PERIOD_AUDIT_ACTIONS,
  parsePeriodAuditEntry,
} from '../store/periods/period-audit-entries.ts';

import type { DecisionRecord, DecisionSubject } from './decision-subject.ts';
import { bankImports } from './import-subjects.ts';
import { ledgerDecisionSubjects } from './ledger-decision-subjects.ts';

const periodHistory: DecisionSubject = {
  *readLog(books) {
    const histories = new Map<string, NewPeriodEntry[]>();
    for (const audited of readAuditEntriesOfActions(books, PERIOD_AUDIT_ACTIONS)) {
      const entry = parsePeriodAuditEntry(audited);
      if (entry === null) continue;
      yield toPeriodRecord(audited.subject, entry);
      histories.set(audited.subject, [...(histories.get(audited.subject) ?? []), entry]);
    }
    for (const [period, entries] of histories) {
      const version = entries.filter(({ action }) => action === 'closed').length;
      yield toStateRecord(period, derivePeriodState(entries), version);
    }
  },
  *readBooks(books) {
    for (const { id, period, state, version } of listStoredPeriods(books)) {
      for (const entry of listPeriodEntries(books, id)) yield toPeriodRecord(period, entry);
      yield toStateRecord(period, state, version);
    }
  },
  describe: (period) => `the history of ${period}`,
};

function toPeriodRecord(
  subject: string,
  { at, name, user, action, text, figures, is_self_review, version, key, statements, about }: NewPeriodEntry,
): DecisionRecord {
  return {
    subject,
    content: JSON.stringify([
      ...[at, name, user, action, text, figures, is_self_review, version, key, statements, about],
    ]),
  };
}

const toStateRecord = (subject: string, state: string, version: number): DecisionRecord => ({
  subject,
  content: JSON.stringify({ state, version }),
});

const itemExplanations: DecisionSubject = {
  *readLog(books) {
    for (const entry of readAuditEntriesOfActions(books, ['periods.explain', 'periods.restore-item'])) {
      const { period, category, owner, explanation, expected_on, decided_at, decided_by } = JSON.parse(
        entry.detail,
      );
      const at = decided_at ?? formatTimestamp(entry.at);
      const content = [at, decided_by ?? entry.user, period, category, owner, explanation, expected_on];
      yield { subject: entry.subject, content: JSON.stringify(content) };
    }
  },
  *readBooks(books) {
    for (const { item, at, user, period, category, owner, explanation, expected_on } of readItemExplanations(
      books,
    )) {
      const content = [formatTimestamp(at), user, period, category, owner, explanation, expected_on];
      yield { subject: item, content: JSON.stringify(content) };
    }
  },
  describe: (item) => `the explanations of ${item.replace(':', ' ')}`,
};

/** Owner, due date, title and completion of each step of a checklist. */
const checklistSteps: DecisionSubject = {
  *readLog(books) {
    const actions = ['periods.add-step', 'periods.change-step', 'periods.remove-step'];
    const latest = new Map<string, Omit<ChecklistStepRow, 'step'>>();
    for (const { subject, detail } of readAuditEntriesOfActions(books, actions))
      latest.set(subject, JSON.parse(detail));
    for (const [subject, step] of latest) yield toStepRecord(subject, step);
  },
  *readBooks(books) {
    for (const { period, ...row } of listAllChecklistStepRows(books))
      yield toStepRecord(formatChecklistSubject(period, row.step), row);
  },
  describe: (subject) => subject.replace('checklist-step:', 'the checklist step '),
};

const toStepRecord = (
  subject: string,
  { title, owner, due_on, done_at, done_by, removed }: Omit<ChecklistStepRow, 'step'>,
): DecisionRecord => ({
  subject,
  content: JSON.stringify([title, owner, due_on, done_at, done_by, removed]),
});

/** Exception decisions by audit action, each with the text that the exception's history shows. */
const exceptionActions: Readonly<
  Record<string, readonly [action: string, text: (detail: Record<string, string>, reason: string) => string]>
> = {
  'exceptions.assign': [
    'assigned',
    ({ assigned }) => (assigned === null ? 'Unassigned.' : `Assigned to ${assigned}.`),
  ],
  'exceptions.accept': ['accepted', (_, reason) => reason],
  'exceptions.reopen': ['reopened', (_, reason) => reason],
};

const exceptionDecisions: DecisionSubject = {
  *readLog(books) {
    const actions = [...Object.keys(exceptionActions), 'exceptions.restore'];
    for (const { action, subject, at, user, reason, detail } of readAuditEntriesOfActions(books, actions)) {
      const parsed = JSON.parse(detail);
      const [decided, getText] = exceptionActions[action] ?? [];
      if (decided !== undefined && getText !== undefined)
        yield {
          subject,
          content: formatExceptionEntry({ at, user, action: decided, text: getText(parsed, reason) }),
        };
      else for (const content of parsed.entries as string[]) yield { subject, content };
    }
  },
  *readBooks(books) {
    for (const { exception_id, ...entry } of readUserExceptionEntries(books))
      yield { subject: String(exception_id), content: formatExceptionEntry(entry) };
  },
  describe: (id) => `the history of exception ${id}`,
};

/** Formats an exception's history entry in the same way as the audit log formats restored decisions. */
export function formatExceptionEntry(entry: {
  readonly at: number;
  readonly user: string | null;
  readonly action: string;
  readonly text: string | null;
}): string {
  return `${formatTimestamp(entry.at)} ${entry.user} ${entry.action}: ${entry.text}`;
}

const comments: DecisionSubject = {
  *readLog(books) {
    for (const { subject, at, user, detail } of readAuditEntriesOfActions(books, [
      'comments.add',
      'comments.restore',
    ])) {
      const { text, files, decided_at, decided_by } = JSON.parse(detail);
      yield toCommentRecord(subject, [decided_at ?? formatTimestamp(at), decided_by ?? user, text, files]);
    }
  },
  *readBooks(books) {
    for (const { subject, at, user, text, files } of readAllComments(books))
      yield toCommentRecord(formatCommentSubject(subject), [formatTimestamp(at), user, text, files]);
  },
  describe: (subject) => `the comments on ${subject.replace(':', ' ')}`,
};

const toCommentRecord = (
  subject: string,
  [at, user, text, files]: [at: string, user: string, text: string, files: readonly Attachment[]],
): DecisionRecord => ({
  subject,
  content: JSON.stringify([at, user, text, files.map(({ name, bytes, sha256 }) => [name, bytes, sha256])]),
});

/** Kinds of decisions that the audit log contains completely. */
export const decisionSubjects: readonly DecisionSubject[] = [
  periodHistory,
  itemExplanations,
  checklistSteps,
  exceptionDecisions,
  comments,
  bankImports,
  ...ledgerDecisionSubjects,
];
