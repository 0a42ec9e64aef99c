import { type ContractInputs, createNonRetryableError, type PeriodDetail } from '../../contract/index.ts';
import { canonicalJson, listFigureComments } from '../../domain/periods/index.ts';
import {
  listPeriodEntries,
  type NewPeriodEntry,
  type StoredPeriod,
  type StoredPeriodEntry,
} from '../store/periods/period.ts';
import { recordPeriodEntry } from '../store/periods/period-audit-entries.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { readWorkpaper } from './cached-workpaper.ts';
import { requirePeriod, toPeriodEntry } from './period-detail.ts';
import {
  createPeriodHistoryEntry,
  type PeriodContext,
  type PeriodSigner,
  publishPeriod,
  startAction,
  throwIfPeriodTransitionRefused,
} from './period-sign-off-steps.ts';
import { findSelfReview, toKeyHolder } from './self-review.ts';

interface FigureOfPeriod {
  readonly site: string;
  readonly period: string;
  readonly currency: string;
  readonly figure: string;
}

/** Adds a comment to a figure. Throws the errors of `periods.comment`. */
export async function commentOnFigure(
  tools: PeriodContext,
  { site, period, by, currency, figure, text }: ContractInputs['periods']['comment'],
): Promise<PeriodDetail> {
  await requireFigure(tools, { site, period, currency, figure });
  return recordCommentEvent(tools, { site, period, by }, (signer) =>
    createPeriodHistoryEntry(signer, 'commented', text, { about: formatReference(currency, figure, null) }),
  );
}

/** Explains the flux of a figure. Throws the errors of `periods.explainFlux`. */
export async function explainFlux(
  tools: PeriodContext,
  { site, period, by, currency, figure, text }: ContractInputs['periods']['explainFlux'],
): Promise<PeriodDetail> {
  await requireFigure(tools, { site, period, currency, figure });
  return recordCommentEvent(tools, { site, period, by }, (signer) =>
    createPeriodHistoryEntry(signer, 'explained', text, { about: formatReference(currency, figure, null) }),
  );
}

/** Throws `not_found` if the workpaper of a period has no such figure. */
async function requireFigure(
  tools: PeriodContext,
  { site, period, currency, figure }: FigureOfPeriod,
): Promise<void> {
  const open = tools.stores.open(site);
  requirePeriod(open.books, period);
  const { sections } = await readWorkpaper(open, period, { now: tools.now(), version: tools.version });
  const schedules = sections.find((section) => section.currency === currency)?.schedules ?? [];
  if (!schedules.some(({ lines }) => lines.some(({ id }) => id === figure)))
    throw createNonRetryableError(
      'not_found',
      `The workpaper of ${period} has no figure ${figure} in ${currency}.`,
      'Figures and currencies are listed by: tieout report --period MONTH',
    );
}

/** Answers a comment. Throws the errors of `periods.answerComment`. */
export const answerComment = (
  tools: PeriodContext,
  { text, comment, ...action }: ContractInputs['periods']['answerComment'],
): Promise<PeriodDetail> =>
  recordCommentEvent(tools, action, (signer, history) => {
    const { currency, figure } = requireUnclearedComment(history, comment);
    const about = formatReference(currency, figure, comment);
    return createPeriodHistoryEntry(signer, 'answered', text, { about });
  });

/** Clears an answered comment. Throws the errors of `periods.clearComment`. */
export const clearComment = (
  tools: PeriodContext,
  { comment, self_review, ...action }: ContractInputs['periods']['clearComment'],
): Promise<PeriodDetail> =>
  recordCommentEvent(tools, action, (signer, history) => {
    const { currency, figure, status, events } = requireUnclearedComment(history, comment);
    if (status === 'open')
      throwIfPeriodTransitionRefused({
        message: `Comment ${comment} on ${figure} has no answer.`,
        hint: 'Answer it first.',
      });
    const answered = history.find(({ seq }) => seq === events.at(-1)?.seq)!;
    const isSelfReview = findSelfReview(tools, action.site, {
      ...{ reviewer: toKeyHolder(signer), preparer: answered, reason: self_review },
      message: `${answered.name} answered comment ${comment}. Another person must clear it.`,
    });
    const fields = {
      about: formatReference(currency, figure, comment),
      is_self_review: Number(isSelfReview),
    };
    return createPeriodHistoryEntry(signer, 'cleared', isSelfReview ? self_review : undefined, fields);
  });

const formatReference = (currency: string, figure: string, comment: number | null): string =>
  canonicalJson({ currency, figure, comment });

function requireUnclearedComment(history: readonly StoredPeriodEntry[], comment: number) {
  const found = listFigureComments(history.map(toPeriodEntry)).find((each) => each.comment === comment);
  if (found === undefined)
    throw createNonRetryableError(
      'not_found',
      `There is no comment ${comment} in this period.`,
      'Comments are listed by: tieout period table --period MONTH --table figure_comments',
    );
  if (found.status === 'cleared')
    throwIfPeriodTransitionRefused({
      message: `Comment ${comment} on ${found.figure} has already been cleared.`,
      hint: 'Add a new comment to the figure.',
    });
  return found;
}

type CreateEntry = (signer: PeriodSigner, history: readonly StoredPeriodEntry[]) => NewPeriodEntry;

async function recordCommentEvent(
  tools: PeriodContext,
  { site, period: name, by }: { site: string; period: string; by?: string | undefined },
  createEntry: CreateEntry,
): Promise<PeriodDetail> {
  const { open, books, signer } = await startAction(tools, site, by);
  runInTransaction(books, () => {
    const period = requireChangeablePeriod(requirePeriod(books, name));
    recordPeriodEntry(books, period, createEntry(signer, listPeriodEntries(books, period.id)), signer);
  });
  return publishPeriod(tools, open, name);
}

/** Throws `conflict` if a period is closed or being closed, because its comments are part of the closed figures. */
function requireChangeablePeriod(period: StoredPeriod): StoredPeriod {
  if (period.state === 'closed' || period.closing_job !== null)
    throwIfPeriodTransitionRefused({
      message: `${period.period} is ${period.state === 'closed' ? 'closed' : 'being closed'}, including its comments.`,
      hint: 'Reopen it with a reason to add, answer or clear a comment.',
    });
  return period;
}
