import { CalendarDays, ChevronDown, DatabaseZap } from 'lucide-react';
import type { Site } from '../../contract/index.ts';
import { useJob, useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { Menu } from '../controls/menu.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { RunningJobPanel } from '../jobs/running-job.tsx';
import { ScreenLayout } from '../layout/screen-layout.tsx';
import { selectTab } from '../navigation/window-state.ts';
import { MonthEndCard } from '../periods/month-end-card.tsx';
import { RunningSync } from '../sync/running-sync.tsx';
import { formatMonth } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';
import { ExceptionSummary } from './exception-summary.tsx';
import { ExceptionAging, ExceptionsByRule } from './exception-tables.tsx';
import { LocalDataPanel } from './local-data-panel.tsx';
import { NextStepList } from './next-steps.tsx';
import { ALL_TIME, CHOSEN_PERIOD_STATE_KEY, useShownPeriod } from './shown-period.ts';
import './overview.css';

const text = texts.overview;

/** Overview screen with the check result of a period and the next steps. */
export function OverviewScreen({ site }: { readonly site: Site }) {
  const { data: status } = useQuery('sync.status', { site: site.site });
  const hasNeverSynced = status !== undefined && status.last === null;
  const period = useShownPeriod(site.site, status !== undefined && !hasNeverSynced);
  return (
    <ScreenLayout
      title={text.title}
      actions={
        !hasNeverSynced && (
          <>
            <PeriodChoice site={site.site} period={period} />
            <CommandButton id="check.start" />
          </>
        )
      }
    >
      <div className="page">
        {hasNeverSynced ? (
          <NotSyncedYet site={site.site} running={status.running} />
        ) : period === null ? (
          <div className="page-inner overview">
            <Skeleton lines={9} />
          </div>
        ) : (
          <PeriodOverview site={site} period={period} />
        )}
      </div>
    </ScreenLayout>
  );
}

function PeriodOverview({ site, period }: { readonly site: Site; readonly period: string }) {
  const { data: summary, error } = useQuery('check.summary', {
    site: site.site,
    ...(period === ALL_TIME ? {} : { period }),
  });
  return (
    <div className="page-inner overview">
      {error && <ErrorMessage error={error} site={site.site} />}
      {!summary && !error && <Skeleton lines={9} />}
      {summary && (
        <>
          {summary.checked.running && <RunningCheck site={site.site} job={summary.checked.running} />}
          <ExceptionSummary summary={summary} currency={site.currency} />
          <NextStepList summary={summary} />
          <MonthEndCard site={site.site} />
          {summary.by_rule.length > 0 && <ExceptionsByRule summary={summary} currency={site.currency} />}
          <div className="overview-pair">
            {summary.exceptions.open > 0 && <ExceptionAging summary={summary} currency={site.currency} />}
            <LocalDataPanel summary={summary} />
          </div>
        </>
      )}
    </div>
  );
}

/** Message shown until the first sync has finished. */
function NotSyncedYet({ site, running }: { readonly site: string; readonly running: string | null }) {
  if (running) {
    return (
      <section className="page-inner overview" aria-label={text.firstSync}>
        <RunningSync site={site} job={running} />
        <p className="fineprint">{text.notSyncedText}</p>
      </section>
    );
  }
  return (
    <EmptyState
      icon={DatabaseZap}
      title={text.notSyncedTitle}
      action={<CommandButton id="sync.start" kind="primary" />}
      text={text.notSyncedText}
    />
  );
}

/** Shows the progress of the running check, or of the sync that includes the check. */
function RunningCheck({ site, job: id }: { readonly site: string; readonly job: string }) {
  const { data: initialJob } = useQuery('jobs.get', { site, job: id });
  const job = useJob(site, id) ?? initialJob;
  if (!job) return null;
  return (
    <RunningJobPanel job={job} title={job.kind === 'check' ? texts.overview.checking : texts.sync.running} />
  );
}

function formatPeriod(period: string): string {
  return period === ALL_TIME ? text.allTime : formatMonth(period);
}

function PeriodChoice({ site, period }: { readonly site: string; readonly period: string | null }) {
  const { data } = useQuery('check.months', { site });
  if (period === null) return null;
  const months = data?.months ?? [];
  const years = [...new Set(months.map((month) => month.period.slice(0, 4)))];
  const entry = (value: string, open = 0) => ({
    id: value,
    label: formatPeriod(value),
    isChecked: value === period,
    ...(open > 0 && { count: text.openCount(open) }),
    run: () => selectTab(CHOSEN_PERIOD_STATE_KEY, value),
  });
  return (
    <span className="period-choice">
      {period !== ALL_TIME && <CommandButton id="overview.previous" kind="quiet" iconOnly />}
      <Menu
        label={text.choosePeriod}
        placement="bottom end"
        trigger={
          <Button icon={CalendarDays} iconAfter={ChevronDown}>
            <span className="visually-hidden">{text.period}: </span>
            {formatPeriod(period)}
          </Button>
        }
        groups={[
          { entries: [entry(ALL_TIME)] },
          ...years.map((year) => ({
            title: year,
            entries: months
              .filter((month) => month.period.startsWith(year))
              .map((month) => entry(month.period, month.open)),
          })),
        ]}
      />
      {period !== ALL_TIME && <CommandButton id="overview.next" kind="quiet" iconOnly />}
    </span>
  );
}
