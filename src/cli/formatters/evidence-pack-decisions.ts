import type { DecisionDifference } from '../../contract/evidence-packs/pack-restore.ts';
import { decisionPartLabels } from '../../domain/labels/backups.ts';
import { formatMinute, formatNumber } from '../output/format-values.ts';
import { createCountColumn, formatTableLines, type TableColumn } from '../output/table.ts';
import { formatIndentedEntry, type TextLines } from '../output/terminal-text.ts';

type Part = DecisionDifference['parts'][number];

const partColumns: TableColumn<Part>[] = [
  { header: 'decisions', cell: ({ part }) => decisionPartLabels[part] },
  createCountColumn('identical', ({ same }) => same),
  createCountColumn('missing', ({ missing }) => missing),
  createCountColumn('different', ({ different }) => different),
  createCountColumn('record not stored', ({ not_stored }) => not_stored),
];

const stateMarks = { same: '=', missing: '+', different: '~', not_stored: '!' } as const;

/** Formats how an evidence pack's decisions differ from the books, with at most `maxItems` items per kind. */
export function formatDecisionsDifference(
  { pack, parts, missing, locked }: DecisionDifference,
  maxItems: number,
): TextLines {
  return [
    `Evidence pack of ${pack.site}, ${pack.period}, created ${pack.made_at} by ${pack.made_by}. The pack is intact.`,
    locked &&
      `${pack.period} is closed. Reopen it first with: tieout period reopen --period ${pack.period} --reason "…"`,
    missing === 0 && 'No decisions from the pack are missing from the books.',
    '',
    formatTableLines(partColumns, parts),
    parts
      .filter(({ items }) => items.length > 0)
      .map((part) => ['', decisionPartLabels[part.part], formatItems(part, maxItems)]),
  ];
}

function formatItems({ items, missing, different, not_stored }: Part, maxItems: number): TextLines {
  const shown = items.slice(0, maxItems);
  const hidden = missing + different + not_stored - shown.length;
  return [
    shown.map(({ state, text, reason, at, user }) =>
      formatIndentedEntry(`${stateMarks[state]} ${text}`, formatMinute(at), user, reason),
    ),
    hidden > 0 && `  and ${formatNumber(hidden)} more`,
  ];
}
