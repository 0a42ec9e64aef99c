import type { DecisionState, DecisionsDifference } from '../../contract/evidence-packs/pack-restore.ts';
import { decisionPartLabels } from '../../domain/labels/backups.ts';
import { formatMinute, formatNumber } from '../output/format-values.ts';
import { formatTableLines, type TableColumn } from '../output/table.ts';

type Part = DecisionsDifference['parts'][number];

const partColumns: TableColumn<Part>[] = [
  { header: 'decisions', cell: ({ part }) => decisionPartLabels[part] },
  { header: 'identical', cell: ({ same }) => formatNumber(same), align: 'right' },
  { header: 'missing', cell: ({ missing }) => formatNumber(missing), align: 'right' },
  { header: 'different', cell: ({ different }) => formatNumber(different), align: 'right' },
  { header: 'record not stored', cell: ({ not_stored }) => formatNumber(not_stored), align: 'right' },
];

const stateMarks: Record<DecisionState, string> = {
  same: '=',
  missing: '+',
  different: '~',
  not_stored: '!',
};

/**
 * Formats the differences between an evidence pack's decisions and the books. Lists at most `maxItems` items per part.
 */
export function formatDecisionsDifference(
  { pack, parts, missing, locked }: DecisionsDifference,
  maxItems: number,
): string[] {
  return [
    `Evidence pack of ${pack.site}, ${pack.period}, created ${pack.made_at} by ${pack.made_by}. The pack is intact.`,
    ...(locked
      ? [
          `${pack.period} is closed. Reopen it first with: tieout period reopen --period ${pack.period} --reason "…"`,
        ]
      : []),
    ...(missing === 0 ? ['No decision of the pack is missing in the books.'] : []),
    '',
    ...formatTableLines(partColumns, parts),
    ...parts
      .filter(({ items }) => items.length > 0)
      .flatMap((part) => ['', decisionPartLabels[part.part], ...formatItems(part, maxItems)]),
  ];
}

function formatItems({ items, missing, different, not_stored }: Part, maxItems: number): string[] {
  const shown = items.slice(0, maxItems);
  const hidden = missing + different + not_stored - shown.length;
  return [
    ...shown.map(({ state, text, reason, at, user }) =>
      [`  ${stateMarks[state]} ${text}`, at === null ? null : formatMinute(at), user, reason]
        .filter((text) => text !== null)
        .join('  '),
    ),
    ...(hidden > 0 ? [`  and ${formatNumber(hidden)} more`] : []),
  ];
}
