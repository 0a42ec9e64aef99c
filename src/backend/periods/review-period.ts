import type { ContractInputs, PeriodDetail } from '../../contract/index.ts';
import { runExclusively } from '../jobs/exclusive-change.ts';
import {
  listPeriodEntries,
  type NewPeriodEntry,
  type StoredPeriodEntry,
  savePeriod,
} from '../store/periods/period.ts';
import { type PeriodEntryOptions, recordPeriodEntry } from '../store/periods/period-audit-entries.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { requirePeriod } from './period-detail.ts';
import {
  createPeriodHistoryEntry,
  type PeriodContext,
  publishPeriod,
  requireCertification,
  requirePeriodTransition,
  signCurrentFigures,
  throwIfFiguresChanged,
} from './period-sign-off-steps.ts';
import { findSelfReview, startReviewAction, toKeyHolder } from './self-review.ts';

/** Decision of a reviewer, made on this computer or read from a review file. */
export interface ReviewDecision {
  readonly verdict: 'approve' | 'reject';
  /** Returns the history entry for the decision on a submission. Throws `conflict` if the decision does not apply. */
  createEntry(submitted: StoredPeriodEntry): { entry: NewPeriodEntry; options: PeriodEntryOptions };
}

/**
 * Records that the reviewer approves the submitted figures or sends them back. Throws `conflict` if there is nothing to
 * review, the figures have changed, or preparers review their own work without a reason.
 */
export async function reviewPeriod(
  tools: PeriodContext,
  { site, period, by, verdict, comment, self_review, confirmed = [] }: ContractInputs['periods']['review'],
): Promise<PeriodDetail> {
  const { signer, books, remoteKeys } = await startReviewAction(tools, { site, period, by });
  return recordReview(
    tools,
    { site, period },
    {
      verdict,
      createEntry(submitted) {
        const { figures } = submitted;
        const isSelfReview =
          verdict === 'approve' &&
          findSelfReview(tools, site, {
            ...{ reviewer: toKeyHolder(signer), preparer: submitted, remoteKeys, reason: self_review },
            message: `${submitted.name} prepared ${period}. Another person must review it.`,
          });
        const certified = { role: 'reviewed', period, confirmed } as const;
        const statements = verdict === 'approve' ? requireCertification(books, certified) : null;
        const reasonAndComment = [self_review, comment].filter((text) => text !== undefined).join(' ');
        const action = verdict === 'approve' ? 'approved' : 'rejected';
        const text = isSelfReview ? reasonAndComment : comment;
        const fields = { figures, is_self_review: Number(isSelfReview), statements };
        return { entry: createPeriodHistoryEntry(signer, action, text, fields), options: signer };
      },
    },
  );
}

/** Records a reviewer's decision. Throws `conflict` if there is nothing to review or the figures have changed. */
export async function recordReview(
  tools: PeriodContext,
  { site, period: name }: { site: string; period: string },
  { verdict, createEntry }: ReviewDecision,
): Promise<PeriodDetail> {
  const open = tools.stores.open(site);
  const { books } = open;
  /** Reads the period under review, its state after the decision, and the entries of the preparer and the reviewer. */
  const readReview = () => {
    const period = requirePeriod(books, name);
    const state = requirePeriodTransition(period, verdict);
    const submitted = listPeriodEntries(books, period.id).find(({ seq }) => seq === period.submitted)!;
    return { period, state, submitted, ...createEntry(submitted) };
  };
  if (verdict === 'reject') {
    runExclusively(tools, site, 'a review', () =>
      runInTransaction(books, () => {
        const { period, state, entry, options } = readReview();
        recordPeriodEntry(books, period, entry, options);
        savePeriod(books, { ...period, state, submitted: null, reviewed: null });
      }),
    );
    return publishPeriod(tools, open, name);
  }
  readReview();
  const signed = await signCurrentFigures(tools, { site, name, noun: 'a review' }, (workpaper) => {
    const { period, state, submitted, entry, options } = readReview();
    throwIfFiguresChanged(workpaper, name, submitted.figures);
    const reviewed = recordPeriodEntry(books, period, entry, options);
    savePeriod(books, { ...period, state, reviewed });
  });
  return publishPeriod(tools, open, name, signed);
}
