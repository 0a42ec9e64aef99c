import type {
  BankLineIdentity,
  CommentSubject,
  PackDecisions,
  PayoutIdentity,
} from '../../../contract/index.ts';
import { formatCommentSubject, readAllComments, type StoredComment } from '../comments/comment.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import type { DayRange } from '../workpaper/posted-rows.ts';
import { lineIdentitySql, PAYOUT_IDENTITY } from './pack-decisions.ts';

/** SQL that returns a row if a record is dated, posted or cleared in the days ?2 to ?3. Parameter 1 is its id. */
const IN_DAYS: Readonly<Partial<Record<CommentSubject['kind'], string>>> = {
  exception: 'SELECT 1 FROM exception WHERE id = ? AND dated_on BETWEEN ? AND ?',
  match: `SELECT 1 FROM match_group LEFT JOIN match_cleared ON group_id = id
    WHERE id = ? AND coalesce(cleared_on, dated_on) BETWEEN ? AND ?`,
  line: `SELECT 1 FROM bank_line LEFT JOIN late_row ON late_row.kind = 'line' AND late_row.id = bank_line.id
    WHERE bank_line.id = ? AND coalesce(posted_on, booked_on) BETWEEN ? AND ?`,
  payment: `SELECT 1 FROM match_payment LEFT JOIN late_row ON late_row.kind = 'payment' AND late_row.id = match_payment.id
    WHERE match_payment.id = ? AND coalesce(posted_on, paid_on) BETWEEN ? AND ?`,
  payout: `SELECT 1 FROM bank_payout LEFT JOIN late_row ON late_row.kind = 'payout' AND late_row.id = bank_payout.id
    WHERE bank_payout.id = ? AND coalesce(posted_on, paid_on) BETWEEN ? AND ?`,
};

/**
 * Returns the comments on a period and its records, oldest first. `selectItems` returns those of the given keys that
 * also belong to the period, for example outstanding items brought forward.
 */
export function listPeriodComments(
  books: ReadableDb,
  { period, first, last }: DayRange & { period: string },
  selectItems: (keys: ReadonlySet<string>) => ReadonlySet<string>,
): StoredComment[] {
  const all = [...readAllComments(books)];
  const items = selectItems(new Set(all.map(({ subject }) => formatCommentSubject(subject))));
  return all.filter(({ subject }) => {
    if (subject.kind === 'period') return subject.id === period;
    if (items.has(formatCommentSubject(subject))) return true;
    const sql = IN_DAYS[subject.kind];
    return sql !== undefined && select.value(books, sql, Number(subject.id), first, last) !== null;
  });
}

type PackComment = PackDecisions['comments'][number];
type PackSubject = PackComment extends infer Each
  ? Each extends PackComment
    ? Omit<Each, 'at' | 'user' | 'text' | 'files'>
    : never
  : never;

/**
 * Returns a comment's subject without row ids, or null if it cannot be identified in other books. `positionOf` returns a
 * match's position in the pack.
 */
export function toPackCommentSubject(
  books: ReadableDb,
  { kind, id: text }: CommentSubject,
  positionOf: (match: number) => number | null,
): PackSubject | null {
  const id = Number(text);
  switch (kind) {
    case 'period':
      return { period: text };
    case 'match': {
      const match = positionOf(id);
      return match === null ? null : { match };
    }
    case 'exception': {
      const exception = select.value<string>(books, 'SELECT key FROM exception WHERE id = ?', id);
      return exception === null ? null : { exception };
    }
    case 'line': {
      const sql = `SELECT ${lineIdentitySql('bank_line')} FROM bank_line WHERE id = ?`;
      const line = select.value<string>(books, sql, id);
      return line === null ? null : { line: JSON.parse(line) as BankLineIdentity };
    }
    case 'payout': {
      const payout = select.value<string>(books, `${PAYOUT_IDENTITY} ?`, id);
      return payout === null ? null : { payout: JSON.parse(payout) as PayoutIdentity };
    }
    case 'payment':
      return { payment: id };
    case 'statement':
      return { statement: id };
  }
}
