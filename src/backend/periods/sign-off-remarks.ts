import type { PeriodProgress, SigningRemark, Workpaper } from '../../contract/index.ts';
import { findPeriodClosingError, isPeriodOver, type PeriodWithStatus } from '../../domain/periods/index.ts';

/** Kinds of qualifications that only inform. All other kinds require a comment from the signer. */
const INFORMATIVE_KINDS = new Set<Workpaper['qualifications'][number]['kind']>(['balance', 'exceptions']);

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
    outstanding: sum('count'),
    unexplained: sum('unexplained'),
    explained,
  };
}
