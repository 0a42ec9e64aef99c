import type { MatchSummary, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { SegmentedControl } from '../controls/form-fields.tsx';
import { Screen } from '../layout/screen.tsx';
import { useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { ManualMatchingPane } from './manual/manual-matching-pane.tsx';
import { MatchingSummary } from './matching-summary.tsx';
import { PaymentsPane } from './payments/payments-pane.tsx';
import { PayoutsPane } from './payouts/payouts-pane.tsx';
import { ReviewPane } from './review/review-pane.tsx';
import { RulesPane } from './rules/rules-pane.tsx';
import { RunsPane } from './runs/runs-pane.tsx';
import { type MatchingRoute, matchingTabs, openMatching, parseMatchingRoute } from './shared/route.ts';
import './matching.css';

const text = texts.matching;

/** Matching screen with tabs for review, manual matching, payments, payouts, rules, and runs. */
export function MatchingScreen({ site }: { readonly site: Site }) {
  const route = parseMatchingRoute(useWindowState((state) => state.route.item));
  const { data: summary } = useQuery('match.summary', { site: site.site });
  return (
    <Screen
      title={text.title}
      actions={
        <>
          <SegmentedControl
            label={text.tabLabel}
            labelUnseen
            value={route.part}
            onChange={(part) => openMatching(part)}
            options={matchingTabs.map((value) => ({ value, label: text.tabs[value] }))}
          />
          <CommandButton id="matching.run" kind="primary" />
        </>
      }
    >
      {summary && <MatchingSummary summary={summary} />}
      <MatchingTabContent site={site} route={route} summary={summary ?? null} />
    </Screen>
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
      return <ReviewPane site={site} summary={summary} id={id} />;
    case 'manual':
      return <ManualMatchingPane site={site} />;
    case 'payments':
      return <PaymentsPane site={site} id={id} />;
    case 'payouts':
      return <PayoutsPane site={site} id={id} />;
    case 'rules':
      return <RulesPane site={site} id={id} />;
    case 'runs':
      return <RunsPane site={site} />;
  }
}
