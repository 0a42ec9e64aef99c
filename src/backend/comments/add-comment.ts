import {
  type Attachment,
  type Comment,
  type CommentSubject,
  type ContractInputs,
  createNonRetryableError,
  MAX_ATTACHMENT_BYTES,
} from '../../contract/index.ts';
import { toSafeFileName } from '../../domain/text/safe-file-name.ts';
import { hashFile } from '../bagit/hash-files.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { type BankFileUpload, storeSourceFile } from '../bank/bank-file-uploads.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import {
  findComment,
  formatCommentSubject,
  insertComment,
  isCommentSubjectStored,
  type NewComment,
} from '../store/comments/comment.ts';
import { runInTransaction, type WritableDb } from '../store/sqlite/connection.ts';

/** Adds a comment with its files to each record. The contract's `comments.add` specifies the errors. */
export async function addComments(
  context: BankContext,
  { site, subjects, text, uploads: ids }: ContractInputs['comments']['add'],
): Promise<Comment[]> {
  const { stores, importSession, changes, now, user } = context;
  if (!text && !ids?.length)
    throw createNonRetryableError(
      'validation',
      'The comment is empty.',
      'Enter some text, or attach a file.',
    );
  const uploads = [...new Set(ids)].map((id) => importSession.uploads.get(site, id));
  for (const upload of uploads) requireAttachable(upload);
  const distinct = [...new Map(subjects.map((each) => [formatCommentSubject(each), each])).values()];
  for (const subject of distinct) requireSubject(stores.open(site), subject);
  const files: Attachment[] = [];
  for (const { name, bytes, path } of uploads)
    files.push({ name: toSafeFileName(name), bytes, sha256: (await hashFile(path)).sha256 });
  // The databases may have been closed while the files were read.
  const open = stores.open(site);
  const { books, folder } = open;
  for (const [index, upload] of uploads.entries()) storeSourceFile(folder, upload, files[index]!.sha256);
  const at = now();
  const added = runInTransaction(books, () =>
    distinct.map((subject) => {
      requireSubject(open, subject);
      return recordComment(books, { subject, at, user, text: text ?? '', files });
    }),
  );
  changes.emit(site, 'comments', 'match', 'bank', 'exceptions', 'periods', 'audit');
  return added.map((id) => findComment(books, id)!);
}

/** Stores a comment and its audit log entry. Returns the comment's id. */
function recordComment(books: WritableDb, comment: NewComment): number {
  const { subject, at, user, text, files } = comment;
  const id = insertComment(books, comment);
  const entry = { action: 'comments.add', subject: formatCommentSubject(subject), detail: { text, files } };
  addAuditEntry(books, { at, user, ...entry });
  return id;
}

function requireAttachable({ name, bytes }: BankFileUpload): void {
  if (bytes === 0)
    throw createNonRetryableError('validation', `${name} is empty.`, 'Choose a file with content.');
  if (bytes > MAX_ATTACHMENT_BYTES)
    throw createNonRetryableError(
      'validation',
      `${name} is larger than ${MAX_ATTACHMENT_BYTES / 1_000_000} MB.`,
      'Attach a smaller file, for example a scan with a lower resolution.',
    );
}

function requireSubject(open: OpenSite, subject: CommentSubject): void {
  if (isCommentSubjectStored(open, subject)) return;
  throw createNonRetryableError(
    'not_found',
    `There is no ${subject.kind} ${subject.id} to comment on.`,
    subject.kind === 'period' ? 'Open the period first.' : `See the list of ${PLURALS[subject.kind]}.`,
  );
}

const PLURALS = {
  exception: 'exceptions',
  match: 'matches',
  line: 'bank lines',
  payment: 'payments',
  payout: 'payouts',
  statement: 'statements',
} as const;
