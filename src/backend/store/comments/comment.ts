import type { Attachment, Comment, CommentSubject } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepareSql, type ReadableDb, type SqlValue, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow } from '../sqlite/write-row.ts';

export interface NewComment {
  readonly subject: CommentSubject;
  /** UTC milliseconds. */
  readonly at: number;
  readonly user: string;
  readonly text: string;
  readonly files: readonly Attachment[];
}

export interface StoredComment extends NewComment {
  readonly id: number;
}

/** Text that identifies a record, as the key of an outstanding item does, for example `line:12`. */
export const formatCommentSubject = ({ kind, id }: CommentSubject): string => `${kind}:${id}`;

/** Adds a comment with its files and returns its id. Must share a transaction with its audit log entry. */
export function insertComment(
  db: WritableDb,
  { subject: { kind, id: subject }, at, user, text, files }: NewComment,
): number {
  const comment_id = insertRow(db, 'comment', { kind, subject, at, user, text });
  for (const [index, { name, sha256, bytes }] of files.entries())
    insertRow(db, 'comment_file', { comment_id, number: index + 1, name, sha256, bytes });
  return comment_id;
}

const COMMENTS = `SELECT id, kind, subject, at, user, text, (SELECT json_group_array(
    json_object('name', name, 'bytes', bytes, 'sha256', sha256) ORDER BY number) FROM comment_file WHERE comment_id = id) AS files
  FROM comment`;

interface CommentRow extends Omit<StoredComment, 'subject' | 'files'> {
  readonly kind: CommentSubject['kind'];
  readonly subject: string;
  readonly files: string;
}

function* readComments(db: ReadableDb, condition: string, ...bound: SqlValue[]): Generator<StoredComment> {
  const rows = prepareSql<CommentRow>(db, `${COMMENTS} ${condition} ORDER BY id`).iterate(...bound);
  for (const { kind, subject, files, ...row } of rows)
    yield { ...row, subject: { kind, id: subject }, files: JSON.parse(files) as Attachment[] };
}

/** Yields all comments, oldest first. */
export const readAllComments = (db: ReadableDb): Generator<StoredComment> => readComments(db, '');

/** Returns the comments on a record, oldest first. */
export const listComments = (db: ReadableDb, { kind, id }: CommentSubject): Comment[] =>
  [...readComments(db, 'WHERE kind = ? AND subject = ?', kind, id)].map(toComment);

export const findComment = (db: ReadableDb, id: number): Comment | null =>
  [...readComments(db, 'WHERE id = ?', id)].map(toComment)[0] ?? null;

const toComment = ({ at, ...comment }: StoredComment): Comment => ({
  ...comment,
  at: formatTimestamp(at),
  files: [...comment.files],
});

/** Returns true if a comment with the same author, time and text is stored on the record. */
export function isCommentStored(
  db: ReadableDb,
  { subject: { kind, id }, at, user, text }: Omit<NewComment, 'files'>,
): boolean {
  const sql = 'SELECT 1 FROM comment WHERE kind = ? AND subject = ? AND at = ? AND user = ? AND text = ?';
  return prepareSql(db, sql).get(kind, id, at, user, text) !== undefined;
}

const SUBJECT_SQL: Readonly<Record<Exclude<CommentSubject['kind'], 'statement'>, string>> = {
  period: 'SELECT 1 FROM period WHERE period = ?',
  exception: 'SELECT 1 FROM exception WHERE id = CAST(? AS INTEGER)',
  match: 'SELECT 1 FROM match_group WHERE id = CAST(? AS INTEGER)',
  line: 'SELECT 1 FROM bank_line WHERE id = CAST(? AS INTEGER) AND removed = 0',
  payment: 'SELECT 1 FROM match_payment WHERE id = CAST(? AS INTEGER) AND removed = 0',
  payout: 'SELECT 1 FROM bank_payout WHERE id = CAST(? AS INTEGER) AND removed = 0',
};

/** Returns true if the record that a comment refers to is stored. */
export function isCommentSubjectStored(
  { cache, books }: { cache: ReadableDb; books: ReadableDb },
  { kind, id }: CommentSubject,
): boolean {
  if (kind === 'statement')
    return prepareSql(cache, 'SELECT 1 FROM statement WHERE id = ?').get(Number(id)) !== undefined;
  return prepareSql(books, SUBJECT_SQL[kind]).get(id) !== undefined;
}

/** Returns each distinct attached file with one of its names. */
export const listAttachedFiles = (db: ReadableDb): { sha256: string; file: string }[] =>
  select.rows(db, 'SELECT sha256, min(name) AS file FROM comment_file GROUP BY sha256 ORDER BY sha256');
