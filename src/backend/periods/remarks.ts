import type { PeriodProgress, PeriodRemark, Workpaper } from '../../contract/index.ts';
import { findClosingError, isPeriodOver, type PeriodWithStatus } from '../../domain/periods/index.ts';

/** Qualifications that are only informative. All others require a comment from the signer. */
const TO_BE_KNOWN = new Set<Workpaper['qualifications'][number]['kind']>(['exceptions']);

/** Returns what prevents or qualifies a sign-off, the most serious first. `today` is a local date. */
export function signOffRemarks(
  period: string,
  { qualifications }: Pick<Workpaper, 'qualifications'>,
  standings: readonly PeriodWithStatus[],
  today: string,
): PeriodRemark[] {
  const remarks: PeriodRemark[] = [];
  if (!isPeriodOver(period, today)) {
    remarks.push({ kind: 'not-over', message: `${period} is not over yet.`, requires: 'mending' });
  }
  const earlier = findClosingError(standings, period);
  if (earlier !== null) remarks.push({ kind: 'earlier', message: earlier.message, requires: 'mending' });
  const found = qualifications.map(
    ({ kind, message }): PeriodRemark => ({
      kind,
      message,
      requires: TO_BE_KNOWN.has(kind) ? 'nothing' : 'comment',
    }),
  );
  const asking = (requires: PeriodRemark['requires']) =>
    found.filter((remark) => remark.requires === requires);
  return [...remarks, ...asking('comment'), ...asking('nothing')];
}

/** Returns the damage found in stored sign-off data. */
export const damageRemarks = ({ qualifications }: Pick<Workpaper, 'qualifications'>): PeriodRemark[] =>
  qualifications
    .filter(({ kind }) => kind === 'damaged')
    .map(({ kind, message }) => ({ kind, message, requires: 'mending' }));

export function periodProgress(
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
