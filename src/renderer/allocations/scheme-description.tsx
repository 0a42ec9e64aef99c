import type { AllocationChange } from '../../contract/index.ts';
import { texts } from '../texts/texts.ts';

const text = texts.changes;

/** Which way a change goes, which scheme will apply, and what that does. */
export function SchemeDescription({ change }: { readonly change: AllocationChange }) {
  const { direction, scheme, scheme_seen } = change;
  if (direction === null) return null;
  const meant = scheme ?? scheme_seen;
  const meaning = meant === null ? null : text.schemeMeaning(direction, meant);
  return (
    <span className="fineprint">
      {text.directions[direction]}
      {direction !== 'none' && `, ${scheme ?? text.ownSchemeSeen(scheme_seen)}`}
      {meaning && `. ${meaning}`}
    </span>
  );
}
