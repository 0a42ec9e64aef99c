import { CalendarDays, ChevronDown, DatabaseZap } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import type { Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Menu } from '../controls/menu.tsx';
import { Empty, Skeleton } from '../controls/pieces.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { Screen } from '../frame/screen.tsx';
import { ClosingCard } from '../periods/closing-card.tsx';
import { RunningSync } from '../sync/running-sync.tsx';
import { setTab } from '../view/view.ts';
import { monthText } from '../words/moments.ts';
import { words } from '../words/words.ts';
import { Ageing } from './ageing.tsx';
import { ByRule } from './by-rule.tsx';
import { Holdings } from './holdings.tsx';
import { NextSteps } from './next-steps.tsx';
import { RunningCheck } from './running-check.tsx';
import { Standing } from './standing.tsx';
import { ALL, CHOSEN, usePeriod } from './use-periods.ts';
import './overview.css';

const text = words.overview;

/** How the site's books stand for a period, and what to do next. */
export function OverviewScreen({ site }: { readonly site: Site }) {
  const { data: status } = useQuery('sync.status', { site: site.site });
  const never = status !== undefined && status.last === null;
  const period = usePeriod(site.site, status !== undefined && !never);
  return (
    <Screen
      title={text.title}
      actions={
        !never && (
          <>
            <PeriodChoice site={site.site} period={period} />
            <CommandButton id="check.start" />
          </>
        )
      }
    >
      <div className="page">
        {never ? (
          <Beginning site={site.site} running={status.running} />
        ) : period === null ? (
          <div className="page-inner overview">
            <Skeleton lines={9} />
          </div>
        ) : (
          <Books site={site} period={period} />
        )}
      </div>
    </Screen>
  );
}

function Books({ site, period }: { readonly site: Site; readonly period: string }) {
  const { data: summary, error } = useQuery('check.summary', {
    site: site.site,
    ...(period === ALL ? {} : { period }),
  });
  return (
    <div className="page-inner overview">
      {error && <ErrorNote error={error} site={site.site} />}
      {!summary && !error && <Skeleton lines={9} />}
      {summary && (
        <>
          {summary.checked.running && <RunningCheck site={site.site} job={summary.checked.running} />}
          <Standing summary={summary} currency={site.currency} />
          <NextSteps summary={summary} />
          <ClosingCard site={site.site} />
          {summary.by_rule.length > 0 && <ByRule summary={summary} currency={site.currency} />}
          <div className="overview-pair">
            {summary.exceptions.open > 0 && <Ageing summary={summary} currency={site.currency} />}
            <Holdings summary={summary} />
          </div>
        </>
      )}
    </div>
  );
}

/** Before the first sync has ended there is nothing to say about the books. */
function Beginning({ site, running }: { readonly site: string; readonly running: string | null }) {
  if (running) {
    return (
      <section className="page-inner overview" aria-label={text.firstSync}>
        <RunningSync site={site} job={running} />
        <p className="fineprint">{text.neverText}</p>
      </section>
    );
  }
  return (
    <Empty
      icon={DatabaseZap}
      title={text.neverTitle}
      action={<CommandButton id="sync.start" kind="primary" />}
    >
      {text.neverText}
    </Empty>
  );
}

function periodText(period: string): string {
  return period === ALL ? text.allTime : monthText(period);
}

function PeriodChoice({ site, period }: { readonly site: string; readonly period: string | null }) {
  const { data } = useQuery('check.months', { site });
  if (period === null) return null;
  const months = data?.months ?? [];
  const years = [...new Set(months.map((month) => month.period.slice(0, 4)))];
  const entry = (value: string, open = 0) => ({
    id: value,
    label: periodText(value),
    checked: value === period,
    ...(open > 0 && { count: text.openCount(open) }),
    run: () => setTab(CHOSEN, value),
  });
  return (
    <span className="period-choice">
      {period !== ALL && <CommandButton id="overview.previous" kind="quiet" bare />}
      <Menu
        label={text.choosePeriod}
        placement="bottom end"
        trigger={
          <AriaButton className="button button-plain button-regular">
            <CalendarDays size={15} aria-hidden="true" />
            <span className="unseen">{text.period}: </span>
            <span className="button-text">{periodText(period)}</span>
            <ChevronDown size={13} aria-hidden="true" />
          </AriaButton>
        }
        groups={[
          { entries: [entry(ALL)] },
          ...years.map((year) => ({
            title: year,
            entries: months
              .filter((month) => month.period.startsWith(year))
              .map((month) => entry(month.period, month.open)),
          })),
        ]}
      />
      {period !== ALL && <CommandButton id="overview.next" kind="quiet" bare />}
    </span>
  );
}
