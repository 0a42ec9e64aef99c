import {
  type ContractInputs,
  createNonRetryableError,
  type PeriodDetail,
  type ReviewFile,
  reviewFileSchema,
} from '../../contract/index.ts';
import { canonicalJson } from '../../domain/periods/index.ts';
import { findLastAuditEntry } from '../store/audit-log/audit-entry-list.ts';
import { findAuditRoot } from '../store/audit-log/audit-log.ts';
import { verifyEntrySignature } from '../store/audit-log/signed-entry.ts';
import { listPeriodEntries, type StoredPeriodEntry } from '../store/periods/period.ts';
import { findPersonKey, PERIOD_SUBMIT_ACTION } from '../store/periods/period-audit-entries.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { requirePeriod } from './period-detail.ts';
import {
  type PeriodContext,
  requireCertification,
  throwIfPeriodTransitionRefused,
} from './period-sign-off-steps.ts';
import { recordReview } from './review-period.ts';
import { areSelfReviewsRefused, findRemoteKeys, findSelfReview } from './self-review.ts';

/** Records a review signed on another computer. Throws the errors that the contract's `periods.importReview` lists. */
export async function importReview(
  tools: PeriodContext,
  { site, review, key }: ContractInputs['periods']['importReview'],
): Promise<PeriodDetail> {
  const { period, entry } = parseReviewFile(review);
  const { reason, detail } = entry;
  const { name, figures, is_self_review, statements = [] } = detail;
  const verdict = entry.action === 'periods.approve' ? 'approve' : 'reject';
  const { books: stored } = tools.stores.open(site);
  const history = listPeriodEntries(stored, requirePeriod(stored, period).id);
  const remoteKeys = await findRemoteKeys(tools, site, [...history, detail]);
  return recordReview(
    tools,
    { site, period },
    {
      verdict,
      createEntry(submitted) {
        const { books } = tools.stores.open(site);
        throwIfKeyDiffers(books, detail, key);
        throwIfOtherSubmission(books, period, { submitted, detail });
        findSelfReview(tools, site, {
          ...{ reviewer: detail, preparer: submitted, remoteKeys },
          reason: is_self_review ? reason : undefined,
          message: `${submitted.name} prepared ${period}. Another person must review it.`,
          hint: 'If there is no other reviewer, review the pack again with --self-review REASON.',
        });
        const confirmed = statements.filter((each) => each.confirmed).map(({ text }) => text);
        if (verdict === 'approve') requireCertification(books, { role: 'reviewed', period, confirmed });
        return {
          entry: {
            ...{ at: tools.now(), name, user: tools.user, text: reason === '' ? null : reason, figures },
            action: verdict === 'approve' ? 'approved' : 'rejected',
            ...{ is_self_review: Number(is_self_review), version: null, key: detail.key, about: null },
            statements: detail.statements === undefined ? null : canonicalJson(detail.statements),
          },
          options: { detail },
        };
      },
    },
  );
}

/** Parses a review file. Throws `validation` if it is not a review, and `corrupt` if its signature does not match. */
function parseReviewFile(text: string): ReviewFile {
  const file = reviewFileSchema.safeParse(parseJson(text)).data;
  if (file === undefined)
    throw createNonRetryableError(
      'validation',
      'The file is not a review of an evidence pack.',
      'Choose the file that the reviewer wrote with: tieout review PACK --approve -o FILE',
    );
  const signature = verifyEntrySignature(file.entry);
  if (typeof signature === 'string' || file.entry.subject !== file.period)
    throw createNonRetryableError(
      'corrupt',
      `The review does not match its signature by ${file.entry.detail.name}: the file was changed.`,
      'Ask the reviewer to send the file again.',
    );
  return file;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type ReviewDetail = ReviewFile['entry']['detail'];

/**
 * Throws `conflict` if the review's key differs from the given key or, if none is given, from the recorded key. If neither
 * exists, a site that refuses self-reviews trusts no key.
 */
function throwIfKeyDiffers(
  books: ReadableDb,
  { name, key }: ReviewDetail,
  expected: string | undefined,
): void {
  if (expected !== undefined && !key.startsWith(expected))
    throwIfPeriodTransitionRefused({
      message: `The review is not signed with the key that you entered, but with ${key.slice(0, 24)}….`,
      hint: `Ask ${name} for the key. On the reviewer’s computer, it is shown by: tieout person list`,
    });
  const recorded = findPersonKey(books, name);
  if (expected === undefined && recorded === null && areSelfReviewsRefused(books))
    throwIfPeriodTransitionRefused({
      message: `The site knows no key of ${name}, and it refuses self-reviews.`,
      hint: `Ask ${name} for the key, and enter it with --key.`,
    });
  if (expected === undefined && recorded !== null && recorded !== key)
    throwIfPeriodTransitionRefused({
      message: `The review is signed with another key than earlier sign-offs of ${name}.`,
      hint: `Ask ${name} for the key, and enter it with --key.`,
    });
}

/** Throws `conflict` unless the review belongs to these books and to the current submission. */
function throwIfOtherSubmission(
  books: ReadableDb,
  period: string,
  { submitted, detail }: { submitted: StoredPeriodEntry; detail: ReviewDetail },
): void {
  const { log, figures } = detail;
  if (findAuditRoot(books, log.entries) !== log.hash)
    throwIfPeriodTransitionRefused({
      message: 'The review belongs to another site, or the audit log was changed since the pack was written.',
      hint: 'Verify the audit log: tieout audit verify',
    });
  const submission = findLastAuditEntry(books, PERIOD_SUBMIT_ACTION, period);
  if (submission === null || submission.seq > log.entries || figures !== submitted.figures)
    throwIfPeriodTransitionRefused({
      message: `The review is of an earlier submission of ${period}.`,
      hint: 'Write a pack of the current submission and have it reviewed.',
    });
}
