import type { SearchPassage } from '../../domain/text-search/index.ts';
import { texts } from '../texts/texts.ts';
import './passage.css';

/** Maximum number of characters shown before the match in compact lines. Chosen by judgment. */
const COMPACT_LEADING_CHARACTERS = 12;

interface PassageLineProps {
  readonly passage: SearchPassage;
  /** True if there is only enough room for the beginning of the line. */
  readonly isCompact?: boolean;
}

/** Shows one line of a document with the search match highlighted and the page number. */
export function SearchPassageLine({ passage, isCompact = false }: PassageLineProps) {
  const { before } = passage;
  const leadingText =
    isCompact && before.length > COMPACT_LEADING_CHARACTERS
      ? `… ${before.slice(-COMPACT_LEADING_CHARACTERS).replace(/^\S*\s/, '')}`
      : before;
  return (
    <span className="passage">
      {passage.page !== null && <small>{texts.pdf.shortPage(passage.page)}</small>}
      <span>
        {leadingText}
        <mark>{passage.hit}</mark>
        {passage.after}
      </span>
    </span>
  );
}
