import { CalendarPlus, FileUp, GitCompareArrows, type LucideIcon } from 'lucide-react';
import type { PeriodDetail } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { runCommand } from '../commands/command.ts';
import { findCommand } from '../commands/command-registry.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { Panel } from '../controls/panel.tsx';
import { navigate } from '../navigation/window-state.ts';
import { formatMonth } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';
import { listMonthEndSteps, type MonthEndStep } from './month-end-steps.ts';
import { openPeriod } from './shared/period-route.ts';
import { PeriodStatusBadge } from './shared/period-status-badge.tsx';
import { RemainingWork } from './shared/remaining-work.tsx';
import './periods.css';

const text = texts.periods.overview;

/** Card with the next steps and the remaining work for the month to be closed. Renders nothing if no month is due. */
export function MonthEndCard({ site }: { readonly site: string }) {
  const { data: list } = useQuery('periods.list', { site });
  const { data: accounts } = useQuery('bank.accounts', { site });
  const lineCount = accounts?.reduce((total, account) => total + account.lines, 0);
  const { data: matching } = useQuery('match.summary', lineCount ? { site } : null);
  const openRow = list?.periods.findLast(({ state }) => state !== 'closed');
  const { data: detail } = useQuery('periods.get', openRow ? { site, period: openRow.period } : null);
  if (!list || (openRow && !detail)) return null;
  const due = list.due !== null && list.months.includes(list.due) ? list.due : null;
  const month = openRow?.period ?? due;
  const isMatchingStale = matching !== undefined && matching.stale !== null && matching.running === null;
  const steps = listMonthEndSteps({
    lineCount,
    isMatchingStale,
    hasOpenPeriod: openRow !== undefined,
    hasDueMonth: due !== null,
  });
  if (month === null) return null;
  return (
    <Panel level={2} title={text.title(formatMonth(month))} aside={detail && <Aside detail={detail} />}>
      {steps.length > 0 && (
        <ol className="steps">
          {steps.map((step) => (
            <Step key={step} step={step} month={month} />
          ))}
        </ol>
      )}
      {detail && <RemainingWork detail={detail} />}
    </Panel>
  );
}

function Aside({ detail: { state, period } }: { readonly detail: PeriodDetail }) {
  return (
    <span className="closing-aside">
      <PeriodStatusBadge status={state} />
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
    if (step === 'open') return navigate({ screen: 'periods', item: null });
    void runCommand(findCommand(step === 'import' ? 'bank.import' : 'matching.run'), context);
  };
  return (
    <li>
      <Icon size={16} aria-hidden="true" />
      <span>{text.steps[step](formatMonth(month))}</span>
      <Button size="small" onPress={act}>
        {text.actions[step]}
      </Button>
    </li>
  );
}
