import type { BookPart, BooksCopy, BooksDifference } from '../../contract/backups.ts';
import { count, counted, minute, size } from '../output/figures.ts';
import { type Column, tableLines } from '../output/table.ts';

const reasons: Record<BooksCopy['why'], string> = {
  start: 'at a start',
  update: 'before an update',
  restore: 'before a restore',
  asked: 'asked for',
};

const partNames: Record<BookPart, string> = {
  periods: 'Periods and sign-offs',
  matches: 'Matches decided',
  imports: 'Imports',
  notes: 'Notes and comments',
  exceptions: 'Decisions about exceptions',
  replays: 'Replays',
  allocations: 'Changes of quantities',
  rules: 'Rules, accounts, profiles',
  archive: 'Exports, holds, deletions',
  audit: 'Entries of the audit log',
};

export const copyColumns: Column<BooksCopy>[] = [
  { header: 'copy', cell: ({ name }) => name },
  { header: 'made (UTC)', cell: ({ made_at }) => minute(made_at) },
  { header: 'why', cell: ({ why }) => reasons[why] },
  { header: 'size', cell: ({ bytes }) => size(bytes), align: 'right' },
  { header: 'audit entries', cell: ({ entries }) => entries ?? '', align: 'right' },
  { header: 'last entry (UTC)', cell: ({ last_at }) => (last_at === null ? '' : minute(last_at)) },
  { header: 'problem', cell: ({ problem }) => problem, spare: true },
];

type Part = BooksDifference['parts'][number];

const figure = (value: number | null): string => (value === null ? 'not known' : count(value));

const partColumns: Column<Part>[] = [
  { header: 'what', cell: ({ part }) => partNames[part] },
  { header: 'would be lost', cell: ({ lost }) => figure(lost), align: 'right' },
  { header: 'would come back', cell: ({ back }) => figure(back), align: 'right' },
  { header: 'would be otherwise', cell: ({ changed }) => figure(changed), align: 'right' },
];

const hows = { lost: '-', back: '+', changed: '~' } as const;

const isTouched = ({ lost, back, changed }: Part): boolean => lost !== 0 || back !== 0 || changed !== 0;

/** What a restore would do, for reading; at most so many items of a kind. */
export function differenceLines(difference: BooksDifference, listed: number): string[] {
  const { copy, books, damage, noted, parts, same, unlocks, audit_problem } = difference;
  const touched = parts.filter(isTouched);
  return [
    `The copy ${copy.name} of ${minute(copy.made_at)} UTC: ${size(copy.bytes)}, ${counted(copy.entries ?? 0, 'entry', 'entries')} in the audit log.`,
    ...(books === 'sound'
      ? []
      : [`The books are damaged: ${damage}. What cannot be read of them is “not known”.`]),
    ...(books === 'sound' || noted === null
      ? []
      : [
          `Their audit log had ${counted(noted.entries, 'entry', 'entries')} when it was last noted, ${minute(noted.at)} UTC.`,
        ]),
    ...(audit_problem === null ? [] : [`The audit log of the copy does not hold: ${audit_problem}`]),
    ...(unlocks.length === 0
      ? []
      : [`It does not have the sign-off of ${unlocks.join(', ')}: reopen that first.`]),
    ...(same ? ['The books are as in the copy.'] : ['', ...tableLines(partColumns, touched)]),
    ...touched.flatMap((part) => ['', partNames[part.part], ...itemLines(part, listed)]),
  ];
}

function itemLines({ items, lost, back, changed }: Part, listed: number): string[] {
  const shown = items.slice(0, listed);
  const rest = (lost ?? 0) + (back ?? 0) + (changed ?? 0) - shown.length;
  return [
    ...shown.map(({ how, text, at, who }) =>
      [`  ${hows[how]} ${text}`, at === null ? null : minute(at), who]
        .filter((word) => word !== null)
        .join('  '),
    ),
    ...(rest > 0 ? [`  and ${count(rest)} more`] : []),
  ];
}
