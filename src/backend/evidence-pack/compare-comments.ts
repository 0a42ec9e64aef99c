import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type CommentSubject, createNonRetryableError, type PackDecisions } from '../../contract/index.ts';
import { capitalize } from '../../domain/text/capitalize.ts';
import { withOpenBag } from '../bagit/bag-reader.ts';
import { createUploadPath, isSourceFileStored, storeSourceFile } from '../bank/bank-file-uploads.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { findExceptionByKey } from '../store/checks/exception.ts';
import {
  formatCommentSubject,
  insertComment,
  isCommentStored,
  isCommentSubjectStored,
} from '../store/comments/comment.ts';
import { findPayoutByIdentity } from '../store/evidence-pack/find-pack-rows.ts';
import type { MatchIds } from './compare-matches.ts';
import { extractFile } from './compare-source-files.ts';
import {
  ADDED_BY_PACK_IMPORT,
  type ComparedDecision,
  createDecisionComparisonFactory,
  describeBankLine,
  describeOriginalDecision,
  findBankLineId,
  type PackComparison,
} from './decision-comparison.ts';
import type { VerifiedPack } from './read-pack.ts';

type PackComment = PackDecisions['comments'][number];

/** Compares a comment of the pack with the books. A comment on a match is restored only together with the match. */
export function compareComment(
  comparison: PackComparison,
  comment: PackComment,
  matchIds: MatchIds,
): ComparedDecision {
  const { books, folder } = comparison.open;
  const { at: moment, user, text, files } = comment;
  const at = Date.parse(moment);
  const label = text === '' ? files.map(({ name }) => name).join(', ') : text;
  const result = createDecisionComparisonFactory('comments', { text: label, at: moment, user });
  const { kind, id, missing } = findSubject(comparison, comment, matchIds);
  if (id === null) return result.notStored(missing);
  const subject = { kind, id: String(id) };
  if (id !== ADDED_BY_PACK_IMPORT && isCommentStored(books, { subject, at, user, text }))
    return result.same();
  const lost = files.find((file) => file.path === null && !isSourceFileStored(folder, file));
  if (lost !== undefined)
    return result.notStored(`The pack does not contain ${lost.name}, because it was damaged or missing.`);
  return result.missing((by) => {
    const attached = files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
    insertComment(books, { subject, at, user, text, files: attached });
    const detail = { text, files: attached, ...describeOriginalDecision(comparison.period, at, user) };
    addAuditEntry(books, {
      ...by,
      action: 'comments.restore',
      subject: formatCommentSubject(subject),
      detail,
    });
  });
}

interface FoundSubject {
  readonly kind: CommentSubject['kind'];
  /** ID in these books, `ADDED_BY_PACK_IMPORT`, or null if the record is not stored. */
  readonly id: string | number | null;
  /** Message that says why the record was not found. */
  readonly missing: string;
}

function findSubject(comparison: PackComparison, comment: PackComment, matchIds: MatchIds): FoundSubject {
  const { books } = comparison.open;
  if ('match' in comment) {
    const id = matchIds.get(comment.match) ?? null;
    return {
      kind: 'match',
      id,
      missing: 'The match of this comment on this site differs from the match in the pack.',
    };
  }
  if ('line' in comment) {
    const missing = `${capitalize(describeBankLine(comment.line))} is not stored on this site.`;
    return { kind: 'line', id: findBankLineId(comparison, comment.line), missing };
  }
  if ('payout' in comment) {
    const { payout } = comment;
    const added = comparison.coming.lines.size > 0 ? ADDED_BY_PACK_IMPORT : null;
    const missing = `Payout ${payout.payout_id} is not stored on this site.`;
    return { kind: 'payout', id: findPayoutByIdentity(books, payout) ?? added, missing };
  }
  if ('exception' in comment) {
    const id = findExceptionByKey(books, comment.exception)?.id ?? null;
    const missing = 'The exception is not stored on this site. Run a check if none has been run.';
    return { kind: 'exception', id, missing };
  }
  return findByServiceId(comparison, comment);
}

function findByServiceId(
  { open, coming }: PackComparison,
  comment: Extract<PackComment, { period: string } | { payment: number } | { statement: number }>,
): FoundSubject {
  const [kind, id] =
    'period' in comment
      ? (['period', comment.period] as const)
      : 'payment' in comment
        ? (['payment', comment.payment] as const)
        : (['statement', comment.statement] as const);
  const isStored = isCommentSubjectStored(open, { kind, id: String(id) });
  const added = kind === 'payment' && coming.payments.has(Number(id)) ? ADDED_BY_PACK_IMPORT : null;
  const missing =
    kind === 'period'
      ? `${id} is not open on this site. Open the period first.`
      : `${capitalize(kind)} ${id} is not stored on this site.`;
  return { kind, id: isStored ? id : added, missing };
}

/** Extracts the attached files of a pack that the site does not have. Throws `corrupt` for a damaged file. */
export async function restoreAttachedFiles(
  { folder, file: { site } }: OpenSite,
  { path, decisions }: VerifiedPack,
): Promise<void> {
  const wanted = decisions.comments
    .flatMap(({ files }) => files)
    .filter((file): file is typeof file & { path: string } => file.path !== null)
    .filter((file) => !isSourceFileStored(folder, file));
  const paths = wanted.map((file) => file.path);
  await withOpenBag(path, paths, async (bag) => {
    for (const { name, sha256, bytes, path: packed } of wanted) {
      const id = randomBytes(12).toString('hex');
      const upload = { id, site, name, path: createUploadPath(folder, id), bytes };
      try {
        if (!(await extractFile(bag, { path: packed, sha256, bytes }, upload.path)))
          throw createNonRetryableError(
            'corrupt',
            `The file ${packed} of the pack is damaged.`,
            'Use another copy of the pack.',
          );
        storeSourceFile(folder, upload, sha256);
      } finally {
        rmSync(upload.path, { force: true });
      }
    }
  });
}
