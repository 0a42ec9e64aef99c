import type { Passage } from '../../domain/documents/index.ts';
import { words } from '../words/words.ts';
import './passage.css';

/** Signs before what was found where there is room for little more. */
const TIGHT = 12;

interface PassageLineProps {
  readonly passage: Passage;
  /** Where only the beginning of the line is seen. */
  readonly tight?: boolean;
}

/** A line of a document with what was found in it marked, and its page. */
export function PassageLine({ passage, tight = false }: PassageLineProps) {
  const { before } = passage;
  const cut = tight && before.length > TIGHT ? `… ${before.slice(-TIGHT).replace(/^\S*\s/, '')}` : before;
  return (
    <span className="passage">
      {passage.page !== null && <small>{words.pdf.shortPage(passage.page)}</small>}
      <span>
        {cut}
        <mark>{passage.hit}</mark>
        {passage.after}
      </span>
    </span>
  );
}
