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
import { findMonthToClose, listMonthEndSteps, type MonthEndStep } from './month-end-steps.ts';
import { useHasBankLines } from './shared/month-bank-lines.ts';
import { openPeriod } from './shared/period-route.ts';
import { getShownStatus, PeriodStatusBadge } from './shared/period-status-badge.tsx';
import { RemainingWork } from './shared/remaining-work.tsx';
import { ALL_TIME } from './shared/working-month.ts';
import './periods.css';

const text = texts.periods.overview;

interface MonthEndCardProps {
  readonly site: string;
  /** Month chosen by the user, or `ALL_TIME`. */
  readonly month: string;
}

/** Card with the next steps and remaining work for closing the working month. Empty if no month can be closed. */
export function MonthEndCard({ site, month: workingMonth }: MonthEndCardProps) {
  const { data: list } = useQuery('periods.list', { site });
  const month = list ? findMonthToClose(list, workingMonth === ALL_TIME ? null : workingMonth) : null;
  const hasLines = useHasBankLines(site, month);
  const { data: matching } = useQuery('match.summary', hasLines ? { site } : null);
  const row = list?.periods.find(({ period }) => period === month);
  const { data: detail } = useQuery('periods.get', row ? { site, period: row.period } : null);
  if (month === null || (row && !detail)) return null;
  const isMatchingStale = matching !== undefined && matching.stale !== null && matching.running === null;
  const steps = listMonthEndSteps({ hasLines, isMatchingStale, status: row?.state ?? null });
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

function Aside({ detail }: { readonly detail: PeriodDetail }) {
  return (
    <span className="closing-aside">
      <PeriodStatusBadge status={getShownStatus(detail)} />
      <Button size="small" onPress={() => openPeriod(detail.period)}>
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
