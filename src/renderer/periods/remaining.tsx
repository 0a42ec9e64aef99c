import type { PeriodDetail } from '../../contract/index.ts';
import { Link } from '../controls/link.tsx';
import { showFiltered } from '../view/view.ts';
import { countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { openPeriod } from './place.ts';

const text = words.periods;

/** How far the period is: what remains, each figure leading to where it is worked off. */
export function Remaining({ detail }: { readonly detail: PeriodDetail }) {
  const { period, last, progress, drift } = detail;
  const { exceptions, proposals, unexplained, outstanding, brought_forward } = progress;
  const figures = [
    {
      id: 'exceptions',
      count: exceptions.open,
      title: text.remain.exceptions,
      note: text.remainTexts.exceptions(exceptions.accepted),
      open: () => showFiltered('exceptions', { status: ['open'], period }),
    },
    {
      id: 'proposals',
      count: proposals,
      title: text.remain.proposals,
      note: text.remainTexts.proposals,
      open: () => showFiltered('matching', { status: ['suggested', 'ambiguous'], until: last }),
    },
    {
      id: 'unexplained',
      count: unexplained,
      title: text.remain.unexplained,
      note: text.remainTexts.unexplained(outstanding, brought_forward),
      open: () => openPeriod(period, 'items'),
    },
    {
      id: 'drift',
      count: drift.count,
      title: text.remain.drift,
      note: text.remainTexts.drift,
      open: () => openPeriod(period, 'drift'),
    },
  ];
  const shown = figures.filter(({ id }) => (detail.state === 'closed') === (id === 'drift'));
  return (
    <dl className="remaining" aria-label={text.remains}>
      {shown.map(({ id, count, title, note, open }) => (
        <div key={id}>
          <dt>{title}</dt>
          <dd>
            <b className={count > 0 ? 'remaining-open' : 'remaining-done'}>{countText(count)}</b>
            <Link label={title} onPress={open}>
              {note}
            </Link>
          </dd>
        </div>
      ))}
    </dl>
  );
}
