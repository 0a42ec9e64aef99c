import { type ComparedLedgerArea, ledgerAreaFigures } from '../general-ledger/index.ts';
import { ledgerAreaLabels } from '../labels/general-ledger.ts';
import { parseScheduleLines, type WorkpaperScheduleDefinition } from './schedule-definition.ts';

/** Source of the records of each area, with its tick mark. */
const recordNotes: Readonly<Record<ComparedLedgerArea, string>> = {
  revenue: 'S1/ | Charges, adjustments and credits, per S1.',
  receivables: 'S1/ | Charges, adjustments and credits less payments, per S1.',
  clearing: 'S2/ | Lines of the processors’ reports less payouts sent, per S2.',
  fees: 'S2/ | Fees of the processors, per S2.',
  cash: 'S3/ | Deposits, returned receipts and other payments, per S3.',
};

/** Returns the schedule that compares the ledger with S1 to S3 in these areas. */
export function defineLedgerSchedule(areas: readonly ComparedLedgerArea[]): WorkpaperScheduleDefinition {
  return {
    id: 'S4',
    title: 'General ledger',
    purpose: 'Compares the movements of the ledger accounts with schedules S1 to S3.',
    lines: areas.flatMap(defineAreaLines),
  };
}

function defineAreaLines(area: ComparedLedgerArea) {
  const { plus, minus } = ledgerAreaFigures[area];
  const label = ledgerAreaLabels[area];
  const [tick, note] = recordNotes[area].split(' | ');
  const figures = [...plus, ...minus.map((figure) => `-${figure}`)].join(' ');
  return parseScheduleLines(`
    ${area} | subtotal | ${tick} | ${label}, per records | ${note} | ${figures}
    ${area}-ledger | stated | G | ${label}, per ledger | Movement of the accounts mapped to the area.
    ${area}-entries | item rare | ✓ | Plus: journal entries not yet posted | Approved entries that no ledger file contains yet.
    ${area}-difference | difference | F | Difference | Per ledger and approved entries less per records. | ${area}-ledger ${area}-entries -${area} | Propose journal entries, or correct the ledger. Without trial balances, the rows below explain the difference.
    ${area}-missing | memo rare | E | Of which: records not in the ledger | No ledger line has the same day and amount.
    ${area}-extra | memo rare | E | Of which: ledger lines not in the records | No record has the same day and amount.
  `);
}
