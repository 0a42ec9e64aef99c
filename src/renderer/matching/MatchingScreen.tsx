import type { MatchSummary, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/useCommands.tsx';
import { Segments } from '../controls/Field.tsx';
import { Screen } from '../frame/Screen.tsx';
import { useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import { HandPane } from './hand/HandPane.tsx';
import { PaymentsPane } from './payments/PaymentsPane.tsx';
import { PayoutsPane } from './payouts/PayoutsPane.tsx';
import { type MatchingPlace, matchingParts, matchingPlace, openMatching } from './place.ts';
import { ReviewPane } from './review/ReviewPane.tsx';
import { RulesPane } from './rules/RulesPane.tsx';
import { RunsPane } from './runs/RunsPane.tsx';
import { Standing } from './Standing.tsx';
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
