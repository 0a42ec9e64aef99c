import { useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/Button.tsx';
import { Panel } from '../controls/Pieces.tsx';
import { monthText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import { PeriodStatus } from './looks.tsx';
import { openPeriod } from './place.ts';
import { Remaining } from './Remaining.tsx';
import './periods.css';

const text = words.periods.overview;

/** The period that is worked on, and what remains of it; nothing where none is open. */
export function ClosingCard({ site }: { readonly site: string }) {
  const { data: known } = useQuery('periods.list', { site });
  const worked = known?.periods.findLast(({ state }) => state !== 'closed');
  const { data: detail } = useQuery('periods.get', worked ? { site, period: worked.period } : null);
  if (!worked || !detail) return null;
  return (
    <Panel
      level={2}
      title={text.title(monthText(worked.period))}
      aside={
        <span className="closing-aside">
          <PeriodStatus state={detail.state} />
          <Button size="small" onPress={() => openPeriod(worked.period)}>
            {text.open}
          </Button>
        </span>
      }
    >
      <Remaining detail={detail} />
    </Panel>
  );
}
