import type { MatchSummary, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Segments } from '../controls/field.tsx';
import { Screen } from '../frame/screen.tsx';
import { useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import { HandPane } from './hand/hand-pane.tsx';
import { PaymentsPane } from './payments/payments-pane.tsx';
import { PayoutsPane } from './payouts/payouts-pane.tsx';
import { type MatchingPlace, matchingParts, matchingPlace, openMatching } from './place.ts';
import { ReviewPane } from './review/review-pane.tsx';
import { RulesPane } from './rules/rules-pane.tsx';
import { RunsPane } from './runs/runs-pane.tsx';
import { Standing } from './standing.tsx';
import './matching.css';

const text = words.matching;

/** Where the bank's money meets the statements': what was proposed is decided, the rest is matched by hand. */
export function MatchingScreen({ site }: { readonly site: Site }) {
  const place = matchingPlace(useView((view) => view.route.item));
  const { data: summary } = useQuery('match.summary', { site: site.site });
  return (
    <Screen
      title={text.title}
      actions={
        <>
          <Segments
            label={text.part}
            labelUnseen
            value={place.part}
            onChange={(part) => openMatching(part)}
            options={matchingParts.map((value) => ({ value, label: text.parts[value] }))}
          />
          <CommandButton id="matching.run" kind="primary" />
        </>
      }
    >
      {summary && <Standing summary={summary} />}
      <Part site={site} place={place} summary={summary ?? null} />
    </Screen>
  );
}

interface PartProps {
  readonly site: Site;
  readonly place: MatchingPlace;
  readonly summary: MatchSummary | null;
}

function Part({ site, place: { part, id }, summary }: PartProps) {
  switch (part) {
    case 'review':
      return <ReviewPane site={site} summary={summary} id={id} />;
    case 'hand':
      return <HandPane site={site} />;
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
