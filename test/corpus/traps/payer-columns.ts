import { addDays, type CalendarDate } from '../../../src/domain/ledger/index.ts';
import { Random } from '../model/random.ts';
import { companyForms, companyKinds, firstNames, surnames } from '../text/name-pools.ts';
import { VARIANTS } from './trap-builder.ts';

/** Cause 7: a bank file whose payer column an import can drop. Without payers, a matcher cannot see strangers. */
export interface PayerColumnTrap {
  readonly title: string;
  readonly header: string;
}

export interface PayerFile {
  readonly csv: string;
  /** Payers in the order of the rows. */
  readonly payers: readonly string[];
}

export const payerColumnTraps: readonly PayerColumnTrap[] = [
  {
    title: 'a counterparty column between the standard columns',
    header: 'Date,Amount,Currency,Counterparty,Description,Reference',
  },
  {
    title: 'a counterparty column after the standard columns',
    header: 'Date,Amount,Currency,Description,Reference,Counterparty',
  },
  {
    title: 'a counterparty column in lower case',
    header: 'date,amount,currency,description,reference,counterparty',
  },
];

/** Writes a file per variant, with other names, prices, dates and references. */
export function writePayerFiles({ header }: PayerColumnTrap): PayerFile[] {
  return Array.from({ length: VARIANTS }, (_, variant) => {
    const random = new Random(variant * 17 + header.length);
    const payers = Array.from({ length: 5 + variant }, () => drawPayer(random));
    const rows = payers.map((payer) => writeRow(random, header, payer));
    return { csv: `${[header, ...rows].join('\n')}\n`, payers };
  });
}

function drawPayer(random: Random): string {
  const company = random.chance(0.4);
  if (company) return `${random.pick(companyKinds)} ${random.pick(surnames)} ${random.pick(companyForms)}`;
  return `${random.pick(firstNames)} ${random.pick(surnames)}`;
}

function writeRow(random: Random, header: string, payer: string): string {
  const date: CalendarDate = addDays('2025-01-13', random.integer(0, 300));
  const values: Record<string, string> = {
    date,
    amount: (random.integer(1000, 99_999) / 100).toFixed(2),
    currency: 'EUR',
    counterparty: payer,
    description: random.pick(['Credit transfer', 'Incoming payment', 'Wire']),
    reference: `INV ${random.integer(10_000_000, 99_999_999)}`,
  };
  return header
    .split(',')
    .map((name) => values[name.toLowerCase()] ?? '')
    .join(',');
}
