import type {
  PeriodHistoryEntry,
  PeriodProgress,
  PeriodSignature,
  PeriodState,
  SigningRemark,
  Workpaper,
} from '../../contract/index.ts';
import {
  findPeriodClosingError,
  isPeriodOver,
  listUnclearedComments,
  type PeriodWithStatus,
} from '../../domain/periods/index.ts';
import { formatCount } from '../../domain/text/format-count.ts';

/** Kinds of qualifications that are only informative. All others require a comment from the signer. */
const INFORMATIVE_KINDS = new Set<Workpaper['qualifications'][number]['kind']>([
  'balance',
  'exceptions',
  'immaterial',
]);

/** Returns the remarks that prevent or qualify a sign-off, most serious first. `today` is a local date. */
export function findSignOffRemarks(
  period: string,
  { qualifications }: Pick<Workpaper, 'qualifications'>,
  periods: readonly PeriodWithStatus[],
  today: string,
): SigningRemark[] {
  const earlier = findPeriodClosingError(periods, period);
  const remarks = qualifications.map(({ kind, message }): SigningRemark => {
    if (kind === 'damaged') return { kind, message, requires: 'fix' };
    return { kind, message, requires: INFORMATIVE_KINDS.has(kind) ? 'nothing' : 'comment' };
  });
  if (earlier !== null) remarks.unshift({ kind: 'earlier', message: earlier.message, requires: 'fix' });
  if (!isPeriodOver(period, today))
    remarks.unshift({ kind: 'not-over', message: `${period} is not over yet.`, requires: 'fix' });
  return [
    ...remarks.filter(({ requires }) => requires !== 'nothing'),
    ...remarks.filter(({ requires }) => requires === 'nothing'),
  ];
}

/** Returns a remark on comments that are not cleared. They prevent only the closing, because the review clears them. */
export function findCommentRemarks(
  state: PeriodState,
  history: readonly PeriodHistoryEntry[],
): SigningRemark[] {
  const message = describeUnclearedComments(history);
  return message === null
    ? []
    : [{ kind: 'comments', message, requires: state === 'reviewed' ? 'fix' : 'nothing' }];
}

/** Returns a sentence on the comments that prevent closing, or null if there are none. */
export function describeUnclearedComments(history: readonly PeriodHistoryEntry[]): string | null {
  const comments = listUnclearedComments(history);
  const [first] = comments;
  if (first === undefined) return null;
  const count = `${formatCount(comments.length, 'comment')} ${comments.length === 1 ? 'is' : 'are'}`;
  return `${count} not cleared, for example comment ${first.comment} on ${first.figure} (${first.status}): ${first.events[0]?.text}`;
}

/** Returns a remark if the figures differ from the submitted ones, which therefore cannot be approved or closed. */
export function findChangedFiguresRemarks(
  period: string,
  { digest }: Pick<Workpaper, 'digest'>,
  submitted: Pick<PeriodSignature, 'figures'> | null,
): SigningRemark[] {
  if (submitted === null || submitted.figures === digest) return [];
  const message = `The figures of ${period} have changed since they were submitted. Send the period back, and submit it again.`;
  return [{ kind: 'changed', message, requires: 'fix' }];
}

export const findSuspensionRemarks = (suspended: string | null): SigningRemark[] =>
  suspended === null ? [] : [{ kind: 'suspended', message: suspended, requires: 'fix' }];

/** Returns remarks about damaged sign-off data. */
export const findSignOffDamageRemarks = ({
  qualifications,
}: Pick<Workpaper, 'qualifications'>): SigningRemark[] =>
  qualifications
    .filter(({ kind }) => kind === 'damaged')
    .map(({ kind, message }) => ({ kind, message, requires: 'fix' }));

export function toPeriodProgress(
  { sections, exceptions, explained }: Pick<Workpaper, 'sections' | 'exceptions' | 'explained'>,
  counted: Pick<PeriodProgress, 'proposals' | 'brought_forward'>,
): PeriodProgress {
  const sum = (part: 'count' | 'unexplained') =>
    sections.reduce((all, { outstanding }) => all + outstanding[part], 0);
  return {
    exceptions: { open: exceptions.open, accepted: exceptions.accepted },
    ...counted,
    immaterial: sections.reduce(
      (all, { schedules }) => all + schedules.filter(({ materiality }) => materiality?.passed).length,
      0,
    ),
    outstanding: sum('count'),
    unexplained: sum('unexplained'),
    explained,
  };
}
