import type { BooksCopy, BooksDifference } from '../../contract/app/backups.ts';
import { backupReasonLabels, bookPartLabels } from '../../domain/labels/backups.ts';
import { formatBytes, formatCount, formatMinute, formatNumber } from '../output/format-values.ts';
import { formatTableLines, type TableColumn } from '../output/table.ts';

export const backupColumns: TableColumn<BooksCopy>[] = [
  { header: 'backup', cell: ({ name }) => name },
  { header: 'created (UTC)', cell: ({ made_at }) => formatMinute(made_at) },
  { header: 'reason', cell: ({ reason }) => backupReasonLabels[reason] },
  { header: 'size', cell: ({ bytes }) => formatBytes(bytes), align: 'right' },
  { header: 'audit entries', cell: ({ entries }) => entries ?? '', align: 'right' },
  { header: 'last entry (UTC)', cell: ({ last_at }) => (last_at === null ? '' : formatMinute(last_at)) },
  { header: 'problem', cell: ({ problem }) => problem, isOptional: true },
];

type Part = BooksDifference['parts'][number];

const formatKnownCount = (value: number | null): string => (value === null ? 'unknown' : formatNumber(value));

const partColumns: TableColumn<Part>[] = [
  { header: 'records', cell: ({ part }) => bookPartLabels[part] },
  { header: 'would be removed', cell: ({ lost }) => formatKnownCount(lost), align: 'right' },
  { header: 'would be restored', cell: ({ restored: back }) => formatKnownCount(back), align: 'right' },
  { header: 'would change', cell: ({ changed }) => formatKnownCount(changed), align: 'right' },
];

const differenceMarks = { lost: '-', restored: '+', changed: '~' } as const;

const hasDifferences = ({ lost, restored: back, changed }: Part): boolean =>
  lost !== 0 || back !== 0 || changed !== 0;

/** Formats the changes that a restore would make. Lists at most `maxItems` items per kind. */
export function formatBooksDifference(difference: BooksDifference, maxItems: number): string[] {
  const { copy, books, damage, anchor, parts, same, unlocks, audit_problem } = difference;
  const changedParts = parts.filter(hasDifferences);
  return [
    `Backup ${copy.name}, created ${formatMinute(copy.made_at)} UTC: ${formatBytes(copy.bytes)}, ${formatCount(copy.entries ?? 0, 'entry', 'entries')} in the audit log.`,
    ...(books === 'intact'
      ? []
      : [`The books are damaged: ${damage}. Counts that cannot be read are shown as “unknown”.`]),
    ...(books === 'intact' || anchor === null
      ? []
      : [
          `The audit log of the current books had ${formatCount(anchor.entries, 'entry', 'entries')} when it was last recorded, ${formatMinute(anchor.at)} UTC.`,
        ]),
    ...(audit_problem === null ? [] : [`The backup’s audit log is not intact: ${audit_problem}`]),
    ...(unlocks.length === 0
      ? []
      : [`The backup does not contain the sign-off of ${unlocks.join(', ')}. Reopen that period first.`]),
    ...(same
      ? ['The books are identical to the backup.']
      : ['', ...formatTableLines(partColumns, changedParts)]),
    ...changedParts.flatMap((part) => ['', bookPartLabels[part.part], ...formatItems(part, maxItems)]),
  ];
}

function formatItems({ items, lost, restored: back, changed }: Part, maxItems: number): string[] {
  const shown = items.slice(0, maxItems);
  const hidden = (lost ?? 0) + (back ?? 0) + (changed ?? 0) - shown.length;
  return [
    ...shown.map(({ change, text, at, user }) =>
      [`  ${differenceMarks[change]} ${text}`, at === null ? null : formatMinute(at), user]
        .filter((text) => text !== null)
        .join('  '),
    ),
    ...(hidden > 0 ? [`  and ${formatNumber(hidden)} more`] : []),
  ];
}
