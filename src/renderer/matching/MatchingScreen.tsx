import type { Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/useCommands.tsx';
import { Segments } from '../controls/Field.tsx';
import { Screen } from '../frame/Screen.tsx';
import { go, useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import { HandPane } from './HandPane.tsx';
import { ReviewPane } from './ReviewPane.tsx';
import { Standing } from './Standing.tsx';
import './matching.css';

const text = words.matching;

/** Where the bank's money meets the statements': what was proposed is decided, the rest is matched by hand. */
export function MatchingScreen({ site }: { readonly site: Site }) {
  const hand = useView((view) => view.route.item === 'hand');
  const { data: summary } = useQuery('match.summary', { site: site.site });
  return (
    <Screen
      title={text.title}
      actions={
        <>
          <Segments
            label={text.mode}
            labelUnseen
            value={hand ? 'hand' : 'review'}
            onChange={(mode) => go({ item: mode === 'hand' ? 'hand' : null })}
            options={(['review', 'hand'] as const).map((value) => ({ value, label: text.modes[value] }))}
          />
          <CommandButton id="matching.run" kind="primary" />
        </>
      }
    >
      {summary && <Standing summary={summary} />}
      {hand ? <HandPane site={site} /> : <ReviewPane site={site} summary={summary ?? null} />}
    </Screen>
  );
}
