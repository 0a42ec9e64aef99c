import type { PeriodProgress, PeriodRemark, Workpaper } from '../../contract/index.ts';
import { findClosingError, isPeriodOver, type PeriodWithStatus } from '../../domain/periods/index.ts';

/** Kinds of qualifications that are only informative. All others require a comment from the signer. */
const INFORMATIVE_KINDS = new Set<Workpaper['qualifications'][number]['kind']>(['exceptions']);

/** Returns the remarks that prevent or qualify a sign-off, the most serious first. `today` is a local date. */
export function findSignOffRemarks(
  period: string,
  { qualifications }: Pick<Workpaper, 'qualifications'>,
  periods: readonly PeriodWithStatus[],
  today: string,
): PeriodRemark[] {
  const remarks: PeriodRemark[] = [];
  if (!isPeriodOver(period, today)) {
    remarks.push({ kind: 'not-over', message: `${period} is not over yet.`, requires: 'mending' });
  }
  const earlier = findClosingError(periods, period);
  if (earlier !== null) remarks.push({ kind: 'earlier', message: earlier.message, requires: 'mending' });
  const found = qualifications.map(
    ({ kind, message }): PeriodRemark => ({
      kind,
      message,
      requires: INFORMATIVE_KINDS.has(kind) ? 'nothing' : 'comment',
    }),
  );
  const remarksRequiring = (requires: PeriodRemark['requires']) =>
    found.filter((remark) => remark.requires === requires);
  return [...remarks, ...remarksRequiring('comment'), ...remarksRequiring('nothing')];
}

/** Returns remarks about damaged sign-off data. */
export const findDamageRemarks = ({ qualifications }: Pick<Workpaper, 'qualifications'>): PeriodRemark[] =>
  qualifications
    .filter(({ kind }) => kind === 'damaged')
    .map(({ kind, message }) => ({ kind, message, requires: 'mending' }));

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
