import { DatabaseZap } from 'lucide-react';
import type { Site } from '../../contract/index.ts';
import { INVOICE_SITE_TEXT } from '../../domain/labels/service-details.ts';
import { useJob, useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { RunningJobPanel } from '../jobs/running-job.tsx';
import { ScreenLayout } from '../layout/screen-layout.tsx';
import { MonthEndCard } from '../periods/month-end-card.tsx';
import { ALL_TIME, useWorkingMonth } from '../periods/shared/working-month.ts';
import { WorkingMonthMenu } from '../periods/shared/working-month-menu.tsx';
import { RunningSync } from '../sync/running-sync.tsx';
import { texts } from '../texts/texts.ts';
import { ExceptionSummary } from './exception-summary.tsx';
import { ExceptionAging, ExceptionsByRule } from './exception-tables.tsx';
import { LocalDataPanel } from './local-data-panel.tsx';
import { NextStepList } from './next-steps.tsx';
import { PeriodTrend } from './period-trend.tsx';
import './overview.css';

const text = texts.overview;

/** Overview screen with the check result of a period and the next steps. */
export function OverviewScreen({ site }: { readonly site: Site }) {
  const { data: status } = useQuery('sync.status', { site: site.site });
  const hasNeverSynced = status !== undefined && status.last === null;
  const period = useWorkingMonth(site.site, status !== undefined && !hasNeverSynced);
  return (
    <ScreenLayout
      title={text.title}
      actions={
        !hasNeverSynced && (
          <>
            <WorkingMonthMenu site={site.site} period={period} />
            <CommandButton id="check.start" />
          </>
        )
      }
    >
      <div className="page">
        {site.service_details?.bills_by === 'invoices' && (
          <p className="page-inner callout callout-warn">{INVOICE_SITE_TEXT}</p>
        )}
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
          <MonthEndCard site={site.site} month={period} />
          <PeriodTrend site={site.site} />
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
