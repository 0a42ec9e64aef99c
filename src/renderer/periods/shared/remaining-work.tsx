import type { PeriodDetail } from '../../../contract/index.ts';
import { Link } from '../../controls/link.tsx';
import { openFilteredList } from '../../navigation/window-state.ts';
import { formatCount } from '../../texts/numbers.ts';
import { texts } from '../../texts/texts.ts';
import { openPeriod } from './period-route.ts';

const text = texts.periods;

/** Shows the remaining work of a period. Each count links to the screen where the work is done. */
export function RemainingWork({ detail }: { readonly detail: PeriodDetail }) {
  const { period, last, progress, sign_off_changes } = detail;
  const { exceptions, proposals, unexplained, outstanding, brought_forward } = progress;
  const figures = [
    {
      id: 'exceptions',
      count: exceptions.open,
      title: text.remainingWorkLabels.exceptions,
      note: text.remainingWorkNotes.exceptions(exceptions.accepted),
      open: () => openFilteredList('exceptions', { status: ['open'], period }),
    },
    {
      id: 'proposals',
      count: proposals,
      title: text.remainingWorkLabels.proposals,
      note: text.remainingWorkNotes.proposals,
      open: () => openFilteredList('matching', { status: ['suggested', 'ambiguous'], until: last }),
    },
    {
      id: 'unexplained',
      count: unexplained,
      title: text.remainingWorkLabels.unexplained,
      note: text.remainingWorkNotes.unexplained(outstanding, brought_forward),
      open: () => openPeriod(period, 'items'),
    },
    {
      id: 'changes',
      count: sign_off_changes.count,
      title: text.remainingWorkLabels.changes,
      note: text.remainingWorkNotes.changes,
      open: () => openPeriod(period, 'changes'),
    },
  ];
  const shown = figures.filter(({ id }) => (detail.state === 'closed') === (id === 'changes'));
  return (
    <dl className="remaining" aria-label={text.remainingWork}>
      {shown.map(({ id, count, title, note, open }) => (
        <div key={id}>
          <dt>{title}</dt>
          <dd>
            <b className={count > 0 ? 'remaining-open' : 'remaining-done'}>{formatCount(count)}</b>
            <Link label={title} onPress={open}>
              {note}
            </Link>
          </dd>
        </div>
      ))}
    </dl>
  );
}
