import type { PackDecisions } from '../../contract/index.ts';
import { formatCsvRow } from '../../domain/csv/csv-row.ts';
import { toSafePathPart } from '../../domain/text/safe-file-name.ts';
import { getPayloadPath } from '../bagit/bag-format.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { formatCommentSubject, type StoredComment } from '../store/comments/comment.ts';
import { listPeriodComments, toPackCommentSubject } from '../store/evidence-pack/pack-comments.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import type { PeriodLists } from '../workpaper/report-lists.ts';

/** Returns the path of an attached file in the pack. The same file attached several times is stored once. */
export const getAttachmentPath = ({ name, sha256 }: { name: string; sha256: string }): string =>
  getPayloadPath(`attachments/${sha256.slice(0, 16)}-${toSafePathPart(name, 'file')}`);

/** Returns the comments on a period, its records, its statements and its outstanding items, oldest first. */
export function listPackComments(
  { books }: { books: ReadableDb },
  days: { period: string; first: string; last: string },
  { outstanding, statements }: Pick<PeriodLists, 'outstanding' | 'statements'>,
): StoredComment[] {
  return listPeriodComments(books, days, (keys) => {
    const found = new Set<string>();
    if (keys.size === 0) return found;
    for (const { key } of outstanding()) if (keys.has(key)) found.add(key);
    for (const { id } of statements()) if (keys.has(`statement:${id}`)) found.add(`statement:${id}`);
    return found;
  });
}

/** Yields the comments in the form of `decisions.json`. Skips comments on matches that the pack does not contain. */
export function* toPackComments(
  books: ReadableDb,
  comments: readonly StoredComment[],
  { positionOf, isInBag }: { positionOf(match: number): number | null; isInBag(path: string): boolean },
): Generator<PackDecisions['comments'][number]> {
  for (const { subject, at, user, text, files } of comments) {
    const of = toPackCommentSubject(books, subject, positionOf);
    if (of === null) continue;
    const attached = files.map((file) => {
      const path = getAttachmentPath(file);
      return { ...file, path: isInBag(path) ? path : null };
    });
    yield { ...of, at: formatTimestamp(at), user, text, files: attached };
  }
}

/** Yields the comments as CSV, with the paths of their files. */
export function* formatCommentsCsv(comments: readonly StoredComment[]): Generator<string> {
  yield formatCsvRow(['record', 'at', 'user', 'text', 'files']);
  for (const { subject, at, user, text, files } of comments) {
    const paths = files.map(getAttachmentPath).join('; ');
    yield formatCsvRow([formatCommentSubject(subject), formatTimestamp(at), user, text, paths]);
  }
}
