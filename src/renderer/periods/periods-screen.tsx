import { ArrowLeft, ShieldAlert } from 'lucide-react';
import { useEffect } from 'react';
import type { PeriodDetail, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { SegmentedControl } from '../controls/form-fields.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { PageLayout, ScreenLayout } from '../layout/screen-layout.tsx';
import { navigate, useWindowState } from '../navigation/window-state.ts';
import { formatMonth } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';
import { ChecklistTab } from './checklist/checklist-tab.tsx';
import { OutstandingItemsTab } from './items/outstanding-items-tab.tsx';
import { LedgerTab } from './ledger/ledger-tab.tsx';
import { PeriodList } from './period-list.tsx';
import { ReportListTab } from './report/report-list-tab.tsx';
import { ReportTab } from './report/report-tab.tsx';
import { openPeriod, type PeriodRoute, parsePeriodRoute, periodTabs } from './shared/period-route.ts';
import { getShownStatus, PeriodStatusBadge } from './shared/period-status-badge.tsx';
import { useSelectedPeriod } from './shared/selected-period.ts';
import { ChangesTab } from './sign-off/changes-tab.tsx';
import { SignOffTab } from './sign-off/sign-off-tab.tsx';
import { WorkpaperTab } from './workpaper/workpaper-tab.tsx';
import './periods.css';

/** Screen that shows the list of periods, or the period named in the route. */
export function PeriodsScreen({ site }: { readonly site: Site }) {
  const route = parsePeriodRoute(useWindowState((state) => state.route.item));
  if (route === null) return <PeriodList site={site} />;
  return <PeriodPage key={route.period} site={site} route={route} />;
}

const text = texts.periods;

/** Page of one period with tabs for the workpaper, outstanding items, sign-off, changes, and report. */
function PeriodPage({ site, route }: { readonly site: Site; readonly route: PeriodRoute }) {
  const { period, part } = route;
  const { data: detail, error } = useQuery('periods.get', { site: site.site, period });
  useEffect(() => useSelectedPeriod.setState({ period: detail ?? null }), [detail]);
  useEffect(() => () => useSelectedPeriod.setState({ period: null }), []);
  return (
    <ScreenLayout
      title={formatMonth(period)}
      actions={
        <>
          {detail && <PeriodStatusBadge status={getShownStatus(detail)} pill />}
          <SignOffButtons />
        </>
      }
    >
      <div className="period-bar">
        <Button
          kind="quiet"
          size="small"
          icon={ArrowLeft}
          label={text.back}
          onPress={() => navigate({ screen: 'periods', item: null })}
        >
          {text.back}
        </Button>
        <SegmentedControl
          label={text.tabLabel}
          labelUnseen
          value={part}
          onChange={(value) => openPeriod(period, value)}
          options={periodTabs.map((value) => ({ value, label: text.tabs[value] }))}
        />
        {detail && <span className="fineprint">{text.stateTexts[detail.state]}</span>}
      </div>
      {error && !detail && (
        <PageLayout>
          <ErrorMessage error={error} site={site.site} />
        </PageLayout>
      )}
      {!detail && !error && (
        <div className="page">
          <Skeleton lines={10} />
        </div>
      )}
      {detail && <DamagedSignOff detail={detail} />}
      {detail && <PeriodTabContent site={site} route={route} detail={detail} />}
    </ScreenLayout>
  );
}

/** Warning, shown on every tab, that stored sign-off data is damaged and may differ from what was signed. */
function DamagedSignOff({ detail: { remarks } }: { readonly detail: PeriodDetail }) {
  const damaged = remarks.filter(({ kind: what }) => what === 'damaged');
  if (damaged.length === 0) return null;
  return (
    <div className="callout callout-bad period-damage" role="alert">
      <ShieldAlert size={16} aria-hidden="true" />
      <div>
        <strong>{text.damaged}</strong>
        {damaged.map(({ message }) => (
          <span key={message}>{message}</span>
        ))}
        <span>{text.damagedHint}</span>
      </div>
    </div>
  );
}

interface PartProps {
  readonly site: Site;
  readonly route: PeriodRoute;
  readonly detail: PeriodDetail;
}

function PeriodTabContent({ site, route, detail }: PartProps) {
  switch (route.part) {
    case 'workpaper':
      return <WorkpaperTab site={site} route={route} detail={detail} />;
    case 'checklist':
      return <ChecklistTab site={site} detail={detail} />;
    case 'items':
      return <OutstandingItemsTab site={site} detail={detail} />;
    case 'ledger':
      return <LedgerTab site={site} detail={detail} />;
    case 'lists':
      return <ReportListTab site={site} period={route.period} />;
    case 'signoff':
      return <SignOffTab site={site} detail={detail} />;
    case 'changes':
      return <ChangesTab site={site} detail={detail} />;
    case 'report':
      return <ReportTab site={site} period={route.period} />;
  }
}

/** Shows buttons for the sign-off steps that the period's status allows. The primary step comes last. */
function SignOffButtons() {
  const moves = useSelectedPeriod(({ period }) => period?.moves);
  const order = ['reopen', 'reject', 'submit', 'approve', 'close'] as const;
  const shown = order.filter((move) => moves?.includes(move));
  return (
    <>
      {shown.includes('approve') && <CommandButton id="periods.importReview" />}
      {shown.map((move, at) => (
        <CommandButton
          key={move}
          id={`periods.${move}`}
          kind={at === shown.length - 1 && move !== 'reopen' ? 'primary' : 'plain'}
        />
      ))}
    </>
  );
}
