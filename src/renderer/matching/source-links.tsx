import { Link } from '../controls/link.tsx';
import { openRecordLocation, recordLocations } from '../navigation/record-location.ts';
import { texts } from '../texts/texts.ts';

const text = texts.matching.sources;

interface SourceLinksProps {
  readonly statement: number;
  readonly subscription: number | null;
}

/** Shows links from a payment to its statement, the statement's PDF, and its subscription. */
export function SourceLinks({ statement, subscription }: SourceLinksProps) {
  return (
    <span className="match-sources">
      <Link onPress={() => openRecordLocation(recordLocations.statement(statement, 'transactions'))}>
        {texts.statements.detail(statement)}
      </Link>
      <Link
        label={text.ofStatement(statement)}
        onPress={() => openRecordLocation(recordLocations.statement(statement, 'pdf'))}
      >
        {text.pdf}
      </Link>
      {subscription !== null && (
        <Link onPress={() => openRecordLocation(recordLocations.subscription(subscription))}>
          {text.subscription(subscription)}
        </Link>
      )}
    </span>
  );
}
