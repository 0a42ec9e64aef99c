import type { DecisionPart, DecisionState, DecisionsDifference } from '../../contract/pack-restore.ts';
import { count, minute } from '../output/figures.ts';
import { type Column, tableLines } from '../output/table.ts';

const partNames: Record<DecisionPart, string> = {
  imports: 'Files of banks and processors',
  rules: 'Matching rules',
  matches: 'Matches',
  notes: 'Notes',
  exceptions: 'Exceptions',
  items: 'Open items explained',
};

type Part = DecisionsDifference['parts'][number];

const partColumns: Column<Part>[] = [
  { header: 'what', cell: ({ part }) => partNames[part] },
  { header: 'the same here', cell: ({ same }) => count(same), align: 'right' },
  { header: 'missing here', cell: ({ missing }) => count(missing), align: 'right' },
  { header: 'otherwise here', cell: ({ otherwise }) => count(otherwise), align: 'right' },
  { header: 'not held here', cell: ({ not_held }) => count(not_held), align: 'right' },
];

const marks: Record<DecisionState, string> = { same: '=', missing: '+', otherwise: '~', not_held: '!' };

/** How the decisions of a pack stand to the books, for reading; at most so many items of each part. */
export function decisionLines(
  { pack, parts, missing, locked }: DecisionsDifference,
  listed: number,
): string[] {
  return [
    `The pack of ${pack.site}, ${pack.period}, made ${pack.made_at} by ${pack.made_by}: every byte as it was written.`,
    ...(locked
      ? [`${pack.period} is closed here: reopen it first with tieout period reopen, with the reason.`]
      : []),
    ...(missing === 0 ? ['Nothing of it is missing here.'] : []),
    '',
    ...tableLines(partColumns, parts),
    ...parts
      .filter(({ items }) => items.length > 0)
      .flatMap((part) => ['', partNames[part.part], ...itemLines(part, listed)]),
  ];
}

function itemLines({ items, missing, otherwise, not_held }: Part, listed: number): string[] {
  const shown = items.slice(0, listed);
  const rest = missing + otherwise + not_held - shown.length;
  return [
    ...shown.map(({ state, text, why, at, who }) =>
      [`  ${marks[state]} ${text}`, at === null ? null : minute(at), who, why]
        .filter((word) => word !== null)
        .join('  '),
    ),
    ...(rest > 0 ? [`  and ${count(rest)} more`] : []),
  ];
}
