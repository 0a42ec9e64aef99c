import type { AllocationChange } from '../../contract/index.ts';
import { texts } from '../texts/texts.ts';

const text = texts.changes;

/** Describes the direction of a quantity change, the proration scheme that applies, and what the scheme means. */
export function SchemeDescription({ change }: { readonly change: AllocationChange }) {
  const { direction, scheme, scheme_seen } = change;
  if (direction === null) return null;
  const meant = scheme ?? scheme_seen;
  const meaning = meant === null ? null : text.schemeMeaning(direction, meant);
  return (
    <span className="fineprint">
      {text.directions[direction]}
      {direction !== 'none' && `, ${scheme ?? text.siteDefaultScheme(scheme_seen)}`}
      {meaning && `. ${meaning}`}
    </span>
  );
}
