import { type ContractInputs, createNonRetryableError, type PeriodDetail } from '../../contract/index.ts';
import { canonicalJson, listEntriesSinceReopening, listFigureComments } from '../../domain/periods/index.ts';
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
  throwIfPeriodTransitionRefused,
} from './period-sign-off-steps.ts';
import { findSelfReview, startReviewAction, toKeyHolder } from './self-review.ts';

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
  return recordCommentEvent(tools, { site, period, by }, (signer, state) => {
    throwIfSubmitted(state.period);
    const about = formatReference(currency, figure, null);
    return createPeriodHistoryEntry(signer, 'explained', text, { about });
  });
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
  recordCommentEvent(tools, action, (signer, { history }) => {
    const { currency, figure } = requireUnclearedComment(history, comment);
    const about = formatReference(currency, figure, comment);
    return createPeriodHistoryEntry(signer, 'answered', text, { about });
  });

/** Clears an answered comment. Throws the errors of `periods.clearComment`. */
export const clearComment = (
  tools: PeriodContext,
  { comment, self_review, ...action }: ContractInputs['periods']['clearComment'],
): Promise<PeriodDetail> =>
  recordCommentEvent(tools, action, (signer, { history, remoteKeys }) => {
    const { currency, figure, status, events } = requireUnclearedComment(history, comment);
    if (status === 'open')
      throwIfPeriodTransitionRefused({
        message: `Comment ${comment} on ${figure} has no answer.`,
        hint: 'Answer it first.',
      });
    const answers = events.flatMap(({ seq, action: event }) => (event === 'answered' ? [seq] : []));
    const isSelfReview = listAuthors(history, answers)
      .map((author) =>
        findSelfReview(tools, action.site, {
          ...{ reviewer: toKeyHolder(signer), preparer: author, remoteKeys, reason: self_review },
          message: `${author.name} ${author.action === 'answered' ? `answered comment ${comment}` : `prepared ${action.period}`}. Another person must clear it.`,
        }),
      )
      .includes(true);
    const fields = {
      about: formatReference(currency, figure, comment),
      is_self_review: Number(isSelfReview),
    };
    return createPeriodHistoryEntry(signer, 'cleared', isSelfReview ? self_review : undefined, fields);
  });

/**
 * Returns the entries of the people who must not clear a comment: the authors of its answers, and the preparers of the
 * period since it was last reopened.
 */
function listAuthors(
  history: readonly StoredPeriodEntry[],
  answers: readonly number[],
): readonly StoredPeriodEntry[] {
  const preparers = listEntriesSinceReopening(history).filter(({ action }) => action === 'submitted');
  return [...history.filter(({ seq }) => answers.includes(seq)), ...preparers];
}

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

type CreateEntry = (
  signer: PeriodSigner,
  state: {
    readonly period: StoredPeriod;
    readonly history: readonly StoredPeriodEntry[];
    readonly remoteKeys: ReadonlySet<string>;
  },
) => NewPeriodEntry;

async function recordCommentEvent(
  tools: PeriodContext,
  { site, period: name, by }: { site: string; period: string; by?: string | undefined },
  createEntry: CreateEntry,
): Promise<PeriodDetail> {
  const { open, books, signer, remoteKeys } = await startReviewAction(tools, { site, period: name, by });
  runInTransaction(books, () => {
    const period = requireChangeablePeriod(requirePeriod(books, name));
    const entry = createEntry(signer, { period, history: listPeriodEntries(books, period.id), remoteKeys });
    recordPeriodEntry(books, period, entry, signer);
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

/** Throws `conflict` if a period is submitted or reviewed, because its explanations belong to what was signed. */
function throwIfSubmitted({ period, state }: StoredPeriod): void {
  if (state !== 'open')
    throwIfPeriodTransitionRefused({
      message: `${period} is ${state}, with the explanations of its figures.`,
      hint: 'Send the period back with a comment, and then explain the figure.',
    });
}
