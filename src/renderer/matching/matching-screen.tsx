import type { MatchSummary, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { SegmentedControl } from '../controls/form-fields.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { PageLayout, ScreenLayout } from '../layout/screen-layout.tsx';
import { useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { ManualMatchingPane } from './manual/manual-matching-pane.tsx';
import { MatchingSummary } from './matching-summary.tsx';
import { PaymentsPane } from './payments/payments-pane.tsx';
import { PayoutsPane } from './payouts/payouts-pane.tsx';
import { MatchReviewPane } from './review/review-pane.tsx';
import { MatchRulesPane } from './rules/rules-pane.tsx';
import { MatchingRunsPane } from './runs/runs-pane.tsx';
import {
  type MatchingRoute,
  matchingTabs,
  openMatchingTab,
  parseMatchingRoute,
} from './shared/matching-route.ts';
import './matching.css';

const text = texts.matching;

/** Matching screen with tabs for review, manual matching, payments, payouts, rules, and runs. */
export function MatchingScreen({ site }: { readonly site: Site }) {
  const route = parseMatchingRoute(useWindowState((state) => state.route.item));
  const { data: summary, loading: isSummaryLoading } = useQuery('match.summary', { site: site.site });
  const { data: accounts, loading: areAccountsLoading } = useQuery('bank.accounts', { site: site.site });
  const isFirstLoad = (isSummaryLoading && !summary) || (areAccountsLoading && !accounts);
  return (
    <ScreenLayout
      title={text.title}
      actions={
        <>
          <SegmentedControl
            label={text.tabLabel}
            labelUnseen
            value={route.part}
            onChange={(part) => openMatchingTab(part)}
            options={matchingTabs.map((value) => ({ value, label: text.tabs[value] }))}
          />
          <CommandButton id="matching.run" kind="primary" />
        </>
      }
    >
      {isFirstLoad ? (
        // The tab waits for the summary above, because the summary would move it.
        <PageLayout>
          <Skeleton lines={8} />
        </PageLayout>
      ) : (
        <>
          {summary && <MatchingSummary summary={summary} accounts={accounts ?? []} />}
          <MatchingTabContent site={site} route={route} summary={summary ?? null} />
        </>
      )}
    </ScreenLayout>
  );
}

interface PartProps {
  readonly site: Site;
  readonly route: MatchingRoute;
  readonly summary: MatchSummary | null;
}

function MatchingTabContent({ site, route: { part, id }, summary }: PartProps) {
  switch (part) {
    case 'review':
      return <MatchReviewPane site={site} summary={summary} id={id} />;
    case 'manual':
      return <ManualMatchingPane site={site} />;
    case 'payments':
      return <PaymentsPane site={site} id={id} />;
    case 'payouts':
      return <PayoutsPane site={site} id={id} />;
    case 'rules':
      return <MatchRulesPane site={site} id={id} />;
    case 'runs':
      return <MatchingRunsPane site={site} />;
  }
}
