import type { PeriodProgress, PeriodRemark, Workpaper } from '../../contract/index.ts';
import { closingRefusal, isOver, type PeriodStanding } from '../../domain/periods/index.ts';

/** What is only to be known; all else that qualifies the figures asks whoever signs them for a comment. */
const TO_BE_KNOWN = new Set<Workpaper['qualifications'][number]['what']>(['exceptions']);

/** What whoever signs a period meets, the gravest first. `today`: a day of our clock. */
export function remarksOf(
  period: string,
  { qualifications }: Pick<Workpaper, 'qualifications'>,
  standings: readonly PeriodStanding[],
  today: string,
): PeriodRemark[] {
  const remarks: PeriodRemark[] = [];
  if (!isOver(period, today)) {
    remarks.push({ what: 'not-over', message: `${period} is not over yet.`, asks: 'mending' });
  }
  const earlier = closingRefusal(standings, period);
  if (earlier !== null) remarks.push({ what: 'earlier', message: earlier.message, asks: 'mending' });
  const found = qualifications.map(
    ({ what, message }): PeriodRemark => ({
      what,
      message,
      asks: TO_BE_KNOWN.has(what) ? 'nothing' : 'comment',
    }),
  );
  const asking = (asks: PeriodRemark['asks']) => found.filter((remark) => remark.asks === asks);
  return [...remarks, ...asking('comment'), ...asking('nothing')];
}

/** What is kept of a sign-off and is damaged. */
export const damageOf = ({ qualifications }: Pick<Workpaper, 'qualifications'>): PeriodRemark[] =>
  qualifications
    .filter(({ what }) => what === 'damaged')
    .map(({ what, message }) => ({ what, message, asks: 'mending' }));

export function progressOf(
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
