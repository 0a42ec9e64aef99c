import { CalendarPlus, FileUp, GitCompareArrows, type LucideIcon } from 'lucide-react';
import type { PeriodDetail } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { runCommand } from '../commands/command.ts';
import { commandNamed, useCommandContext } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import { Panel } from '../controls/pieces.tsx';
import { go } from '../view/view.ts';
import { monthText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import { PeriodStatus } from './looks.tsx';
import { type MonthEndStep, monthEndSteps } from './month-end.ts';
import { openPeriod } from './place.ts';
import { Remaining } from './remaining.tsx';
import './periods.css';

const text = words.periods.overview;

/** The month that is to be closed: what it needs first, then what remains of it; nothing where none is. */
export function ClosingCard({ site }: { readonly site: string }) {
  const { data: known } = useQuery('periods.list', { site });
  const { data: accounts } = useQuery('bank.accounts', { site });
  const lines = accounts?.reduce((all, account) => all + account.lines, 0);
  const { data: matching } = useQuery('match.summary', lines ? { site } : null);
  const worked = known?.periods.findLast(({ state }) => state !== 'closed');
  const { data: detail } = useQuery('periods.get', worked ? { site, period: worked.period } : null);
  if (!known || (worked && !detail)) return null;
  const due = known.due !== null && known.months.includes(known.due) ? known.due : null;
  const month = worked?.period ?? due;
  const stale = matching !== undefined && matching.stale !== null && matching.running === null;
  const steps = monthEndSteps({ lines, stale, worked: worked !== undefined, due: due !== null });
  if (month === null) return null;
  return (
    <Panel level={2} title={text.title(monthText(month))} aside={detail && <Aside detail={detail} />}>
      {steps.length > 0 && (
        <ol className="steps">
          {steps.map((step) => (
            <Step key={step} step={step} month={month} />
          ))}
        </ol>
      )}
      {detail && <Remaining detail={detail} />}
    </Panel>
  );
}

function Aside({ detail: { state, period } }: { readonly detail: PeriodDetail }) {
  return (
    <span className="closing-aside">
      <PeriodStatus state={state} />
      <Button size="small" onPress={() => openPeriod(period)}>
        {text.open}
      </Button>
    </span>
  );
}

const icons: Record<MonthEndStep, LucideIcon> = {
  import: FileUp,
  match: GitCompareArrows,
  open: CalendarPlus,
};

function Step({ step, month }: { readonly step: MonthEndStep; readonly month: string }) {
  const context = useCommandContext();
  const Icon = icons[step];
  const act = () => {
    if (step === 'open') return go({ screen: 'periods', item: null });
    void runCommand(commandNamed(step === 'import' ? 'bank.import' : 'matching.run'), context);
  };
  return (
    <li>
      <Icon size={16} aria-hidden="true" />
      <span>{text.steps[step](monthText(month))}</span>
      <Button size="small" onPress={act}>
        {text.doing[step]}
      </Button>
    </li>
  );
}
