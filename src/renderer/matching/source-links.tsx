import { Link } from '../controls/link.tsx';
import { openPlace, placeOf } from '../view/place.ts';
import { words } from '../words/words.ts';

const text = words.matching.sources;

interface SourceLinksProps {
  readonly statement: number;
  readonly subscription: number | null;
}

/** The ways from a payment to where it comes from: its statement, the statement's PDF, the story of its subscription. */
export function SourceLinks({ statement, subscription }: SourceLinksProps) {
  return (
    <span className="match-sources">
      <Link onPress={() => openPlace(placeOf.statement(statement, 'transactions'))}>
        {words.statements.detail(statement)}
      </Link>
      <Link
        label={text.ofStatement(statement)}
        onPress={() => openPlace(placeOf.statement(statement, 'pdf'))}
      >
        {text.pdf}
      </Link>
      {subscription !== null && (
        <Link onPress={() => openPlace(placeOf.subscription(subscription))}>
          {text.subscription(subscription)}
        </Link>
      )}
    </span>
  );
}
