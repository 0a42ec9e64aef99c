import type { ContractInputs } from '../../../contract/index.ts';
import { formatAmount, parseAmount } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';

const text = texts.generalLedger.entry;

/** A line of a journal entry as typed. `key` identifies the line in the form. */
export interface JournalLineDraft {
  readonly key: number;
  readonly account: string;
  readonly debit: string;
  readonly credit: string;
}

/** A journal entry as typed. */
export interface JournalEntryDraft {
  readonly memo: string;
  readonly datedOn: string;
  readonly lines: readonly JournalLineDraft[];
  readonly reversesOn: string;
  readonly isMonthly: boolean;
  readonly until: string;
}

type JournalEntryInput = Omit<ContractInputs['journal']['add'], 'site' | 'period'>;

/** Entry to add, or the reason why the draft is incomplete. */
export type ParsedJournalEntry =
  | { readonly entry: JournalEntryInput; readonly reason: null }
  | { readonly entry: null; readonly reason: string };

const isDate = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
const isMonth = (value: string) => isDate(`${value}-01`);

/** Parses a typed journal entry. Empty lines are ignored. */
export function parseJournalEntry(draft: JournalEntryDraft): ParsedJournalEntry {
  const { memo, datedOn, reversesOn, isMonthly, until } = draft;
  const typedLines = draft.lines.map((line, at) => parseLine(line, at + 1)).filter((line) => line !== null);
  const invalid = typedLines.find((line) => typeof line === 'string');
  const lines = typedLines.filter((line) => typeof line !== 'string');
  const reason = findFieldProblem(draft) ?? invalid ?? findLinesProblem(lines);
  if (reason !== null) return { entry: null, reason };
  const entry = {
    memo: memo.trim(),
    lines,
    ...(datedOn === '' ? {} : { dated_on: datedOn }),
    ...(reversesOn === '' ? {} : { reverses_on: reversesOn }),
    ...(isMonthly ? { repeats: 'monthly' as const } : {}),
    ...(isMonthly && until !== '' ? { repeats_until: until } : {}),
  };
  return { entry, reason: null };
}

function findFieldProblem({ memo, datedOn, reversesOn, isMonthly, until }: JournalEntryDraft): string | null {
  if (memo.trim() === '') return text.memoMissing;
  if ([datedOn, reversesOn].some((date) => date !== '' && !isDate(date))) return text.dateBad;
  return isMonthly && until !== '' && !isMonth(until) ? text.untilBad : null;
}

type JournalLineInput = JournalEntryInput['lines'][number];

function findLinesProblem(lines: readonly JournalLineInput[]): string | null {
  if (lines.length === 0) return text.lineBad(1);
  const debits = lines.reduce((sum, { debit_in_cents = 0 }) => sum + debit_in_cents, 0);
  const credits = lines.reduce((sum, { credit_in_cents = 0 }) => sum + credit_in_cents, 0);
  return debits === credits ? null : text.unbalanced(formatAmount(debits), formatAmount(credits));
}

/** Returns a line of an entry, null if nothing was typed, or the text of its problem. */
function parseLine(
  { account, debit, credit }: JournalLineDraft,
  line: number,
): JournalLineInput | string | null {
  const [name, debited, credited] = [account, debit, credit].map((value) => value.trim()) as [
    string,
    string,
    string,
  ];
  if (name + debited + credited === '') return null;
  const isDebit = debited !== '';
  const cents = parseAmount(isDebit ? debited : credited);
  if (name === '' || isDebit === (credited !== '') || cents === null || cents <= 0) return text.lineBad(line);
  return isDebit ? { account: name, debit_in_cents: cents } : { account: name, credit_in_cents: cents };
}
