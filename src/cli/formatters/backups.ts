import type { BooksBackup, BooksDifference } from '../../contract/app/backups.ts';
import { backupReasonLabels, bookPartLabels } from '../../domain/labels/backups.ts';
import { formatBytes, formatCount, formatMinute, formatNumber } from '../output/format-values.ts';
import { formatTableLines, type TableColumn } from '../output/table.ts';
import { formatIndentedEntry, type TextLines } from '../output/terminal-text.ts';

export const backupColumns: TableColumn<BooksBackup>[] = [
  { header: 'backup', cell: ({ name }) => name },
  { header: 'created (UTC)', cell: ({ made_at }) => formatMinute(made_at) },
  { header: 'reason', cell: ({ reason }) => backupReasonLabels[reason] },
  { header: 'size', cell: ({ bytes }) => formatBytes(bytes), align: 'right' },
  { header: 'audit entries', cell: ({ entries }) => entries, align: 'right' },
  { header: 'last entry (UTC)', cell: ({ last_at }) => formatMinute(last_at) },
  { header: 'problem', cell: ({ problem }) => problem, isOptional: true },
];

type Part = BooksDifference['parts'][number];

const formatKnownCount = (value: number | null): string => (value === null ? 'unknown' : formatNumber(value));

const partColumns: TableColumn<Part>[] = [
  { header: 'records', cell: ({ part }) => bookPartLabels[part] },
  { header: 'would be removed', cell: ({ lost }) => formatKnownCount(lost), align: 'right' },
  { header: 'would be restored', cell: ({ restored }) => formatKnownCount(restored), align: 'right' },
  { header: 'would change', cell: ({ changed }) => formatKnownCount(changed), align: 'right' },
];

const differenceMarks = { lost: '-', restored: '+', changed: '~' } as const;

/** Formats the changes that a restore would make, with at most `maxItems` items per kind. */
export function formatBooksDifference(difference: BooksDifference, maxItems: number): TextLines {
  const { copy, books, damage, anchor, parts, same, unlocks, audit_problem } = difference;
  const isDamaged = books !== 'intact';
  const changedParts = parts.filter(({ lost, restored, changed }) =>
    [lost, restored, changed].some((n) => n !== 0),
  );
  return [
    `Backup ${copy.name}, created ${formatMinute(copy.made_at)} UTC: ${formatBytes(copy.bytes)}, ${formatEntries(copy.entries ?? 0)} in the audit log.`,
    isDamaged && `The books are damaged: ${damage}. Counts that cannot be read are shown as “unknown”.`,
    isDamaged &&
      anchor &&
      `The audit log of the current books had ${formatEntries(anchor.entries)} when its length was last recorded, ${formatMinute(anchor.at)} UTC.`,
    audit_problem !== null && `The backup’s audit log is not intact: ${audit_problem}`,
    unlocks.length > 0 && `Reopen ${unlocks.join(', ')} first: the backup does not contain the sign-off.`,
    same ? 'The books are identical to the backup.' : ['', formatTableLines(partColumns, changedParts)],
    changedParts.map((part) => ['', bookPartLabels[part.part], formatItems(part, maxItems)]),
  ];
}

const formatEntries = (entries: number): string => formatCount(entries, 'entry', 'entries');

function formatItems({ items, lost, restored, changed }: Part, maxItems: number): TextLines {
  const shown = items.slice(0, maxItems);
  const hidden = (lost ?? 0) + (restored ?? 0) + (changed ?? 0) - shown.length;
  return [
    shown.map(({ change, text, at, user }) =>
      formatIndentedEntry(`${differenceMarks[change]} ${text}`, formatMinute(at), user),
    ),
    hidden > 0 && `  and ${formatNumber(hidden)} more`,
  ];
}
