import { BookCheck, CalendarPlus, ChevronDown } from 'lucide-react';
import type { PeriodRow, Site } from '../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { MissingValue } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { Menu } from '../controls/menu.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { DataTable } from '../controls/table-head.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { PageLayout, ScreenLayout } from '../layout/screen-layout.tsx';
import { showNotice } from '../navigation/window-state.ts';
import { formatDate, formatMonth } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';
import { describeRemainingWork } from './describe-remaining-work.ts';
import { openPeriod } from './shared/period-route.ts';
import { getShownStatus, PeriodStatusBadge } from './shared/period-status-badge.tsx';
import { chooseWorkingMonth, useWorkingMonth } from './shared/working-month.ts';
import { WorkingMonthMenu } from './shared/working-month-menu.tsx';

const text = texts.periods;

/** Lists the periods of the site with their status, remaining work, and signatures. */
export function PeriodList({ site }: { readonly site: Site }) {
  const client = useContractClient();
  const { data: list, error } = useQuery('periods.list', { site: site.site });
  const opening = useAction(async (period: string) => {
    await client.periods.open({ site: site.site, period });
    chooseWorkingMonth(site.site, period);
    showNotice(text.opened(formatMonth(period)), 'good');
    openPeriod(period);
  });
  const workingMonth = useWorkingMonth(site.site);
  const due = [workingMonth, list?.due].find((month) => month && list?.months.includes(month)) ?? null;
  const others = list?.months.filter((month) => month !== due) ?? [];
  const openDue = due !== null && (
    <Button
      kind="primary"
      icon={CalendarPlus}
      isPending={opening.running}
      onPress={() => void opening.run(due)}
    >
      {text.openMonth(formatMonth(due))}
    </Button>
  );
  return (
    <ScreenLayout
      title={text.title}
      actions={
        <>
          <WorkingMonthMenu site={site.site} period={workingMonth} />
          {others.length > 0 && (
            <Menu
              label={text.openOther}
              placement="bottom end"
              trigger={<Button iconAfter={ChevronDown}>{text.openOther}</Button>}
              groups={[
                {
                  entries: others.map((month) => ({
                    id: month,
                    label: formatMonth(month),
                    run: () => void opening.run(month),
                  })),
                },
              ]}
            />
          )}
          {openDue}
        </>
      }
    >
      <PageLayout className="periods">
        {error && <ErrorMessage error={error} site={site.site} />}
        {opening.error && <ErrorMessage error={opening.error} site={site.site} />}
        {!list && !error && <Skeleton lines={8} />}
        {list && list.periods.length === 0 && (
          <EmptyState
            icon={BookCheck}
            title={list.months.length === 0 ? text.noMonthTitle : text.emptyTitle}
            action={openDue}
            text={list.months.length === 0 ? text.noMonthText : text.emptyText}
          />
        )}
        {list && list.periods.length > 0 && <PeriodTable site={site.site} rows={list.periods} />}
        {list && list.locked_until !== null && (
          <p className="fineprint">{text.lockedUntil(formatDate(list.locked_until))}</p>
        )}
      </PageLayout>
    </ScreenLayout>
  );
}

function PeriodTable({ site, rows }: { readonly site: string; readonly rows: readonly PeriodRow[] }) {
  const titles = text.columns;
  return (
    <DataTable
      label={text.list}
      titles={[
        titles.period,
        titles.state,
        { text: titles.remainingWork, cellClass: 'periods-remains' },
        { text: titles.signed, cellClass: 'periods-signed' },
        titles.changes,
      ]}
      rows={rows.map((row) => ({
        key: row.period,
        cells: [
          <Link key="period" onPress={() => openPeriod(row.period)}>
            {formatMonth(row.period)}
          </Link>,
          <PeriodStatusBadge key="state" status={getShownStatus(row)} />,
          <RemainingCell key="remaining" site={site} row={row} />,
          <SignedCell key="signed" row={row} />,
          <ChangesCell key="changes" row={row} />,
        ],
      }))}
    />
  );
}

/** Shows the remaining work of a period that has not been closed. */
function RemainingCell({ site, row }: { readonly site: string; readonly row: PeriodRow }) {
  const { data: detail } = useQuery(
    'periods.get',
    row.state === 'closed' ? null : { site, period: row.period },
  );
  if (row.state === 'closed') return <MissingValue />;
  return detail ? describeRemainingWork(detail.progress) : null;
}

function SignedCell({ row: { submitted, reviewed } }: { readonly row: PeriodRow }) {
  const signatures = [
    submitted && text.preparedBy(submitted.name),
    reviewed && text.reviewedBy(reviewed.name),
    reviewed?.self_review && text.signOff.selfReview,
  ].filter((part) => typeof part === 'string' && part !== '');
  return signatures.length === 0 ? <MissingValue /> : signatures.join(', ');
}

function ChangesCell({ row }: { readonly row: PeriodRow }) {
  if (row.state !== 'closed') return <MissingValue />;
  if (row.sign_off_changes.count === 0) return text.noChanges;
  return (
    <Link onPress={() => openPeriod(row.period, 'changes')}>
      {text.changeCount(row.sign_off_changes.count)}
    </Link>
  );
}
