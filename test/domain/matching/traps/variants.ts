import { addDays } from '../../../../src/domain/ledger/index.ts';
import type { MatchGroup, MatchLine, MatchPayment } from '../../../../src/domain/matching/index.ts';
import { line, payment, runGroups, type SampleRows } from '../sample-rows.ts';

/** Names, prices and ids of one variant of every trap. */
export interface TrapVariant {
  readonly title: string;
  readonly currency: string;
  /** Two customers and a stranger. The persons share no word. */
  readonly person: string;
  readonly other: string;
  readonly stranger: string;
  /** Two companies that begin with the same words. Banks cut the names after `companyCut` characters. */
  readonly company: string;
  readonly longerCompany: string;
  readonly companyCut: number;
  /** Family name with a particle, and two first names with different initials. */
  readonly particle: string;
  readonly firstNames: readonly [string, string];
  /** Family name and two first names with the same initial. */
  readonly family: string;
  readonly sameInitial: readonly [string, string];
  readonly cents: number;
  readonly feeCents: number;
  readonly id: number;
  readonly paidOn: string;
}

export const trapVariants: readonly TrapVariant[] = [
  {
    title: 'variant 1',
    currency: 'EUR',
    person: 'Jonas Feldkamp',
    other: 'Beatrix Oberle',
    stranger: 'Rainer Stolz',
    company: 'Gasthof Brunner GmbH',
    longerCompany: 'Gasthof Brunner & Enkel KG',
    companyCut: 15,
    particle: "O'Malley",
    firstNames: ['Siobhan', 'Patrick'],
    family: 'Kranich',
    sameInitial: ['Doris', 'Detlef'],
    cents: 12_900,
    feeCents: 1500,
    id: 40_218_315,
    paidOn: '2026-05-11',
  },
  {
    title: 'variant 2',
    currency: 'USD',
    person: 'Walter Quimby',
    other: 'Harriet Sloane',
    stranger: 'Denise Farrow',
    company: 'Harbor Freight Supply Inc.',
    longerCompany: 'Harbor Freight Supply and Storage LLC',
    companyCut: 21,
    particle: 'van der Velde',
    firstNames: ['Wim', 'Greet'],
    family: 'Ashdown',
    sameInitial: ['Leo', 'Lydia'],
    cents: 4995,
    feeCents: 2500,
    id: 7_340_021,
    paidOn: '2026-02-17',
  },
  {
    title: 'variant 3',
    currency: 'GBP',
    person: 'Imogen Tully',
    other: 'Clive Barraclough',
    stranger: 'Noreen Pym',
    company: 'Hotel Seeblick GmbH',
    longerCompany: 'Hotel Seeblick Betriebs OHG',
    companyCut: 14,
    particle: 'de Souza',
    firstNames: ['Tiago', 'Marisa'],
    family: 'Penhaligon',
    sameInitial: ['Ruby', 'Rowan'],
    cents: 22_300,
    feeCents: 1000,
    id: 90_551_732,
    paidOn: '2026-08-05',
  },
  {
    title: 'variant 4',
    currency: 'EUR',
    person: 'Mireille Castagne',
    other: 'Olivier Lefort',
    stranger: 'Solange Huc',
    company: 'Boulangerie Marchand SARL',
    longerCompany: 'Boulangerie Marchand et Fils SAS',
    companyCut: 20,
    particle: "D'Angelo",
    firstNames: ['Fabio', 'Chiara'],
    family: 'Lemoine',
    sameInitial: ['Paul', 'Pascale'],
    cents: 59_000,
    feeCents: 1800,
    id: 311_208_455,
    paidOn: '2026-10-20',
  },
  {
    title: 'variant 5',
    currency: 'CHF',
    person: 'Urs Zgraggen',
    other: 'Heidi Ammann',
    stranger: 'Reto Bieri',
    company: 'Malerei Huber AG',
    longerCompany: 'Malerei Huber Soehne AG',
    companyCut: 13,
    particle: 'von Arx',
    firstNames: ['Simon', 'Claudia'],
    family: 'Steinegger',
    sameInitial: ['Moritz', 'Melanie'],
    cents: 8050,
    feeCents: 500,
    id: 55_120_864,
    paidOn: '2026-03-24',
  },
];

/** Creates rows of a variant. Days count from the variant's payment day. */
export class TrapRows {
  readonly variant: TrapVariant;

  constructor(variant: TrapVariant) {
    this.variant = variant;
  }

  day(offset: number): string {
    return addDays(this.variant.paidOn, offset);
  }

  payment(name: string, given: Partial<MatchPayment> = {}, lag = 0): MatchPayment {
    const { id, cents, currency } = this.variant;
    return payment({
      id,
      names: [name],
      amount_in_cents: cents,
      currency,
      paid_on: this.day(lag),
      ...given,
    });
  }

  line(given: Partial<MatchLine>, lag = 2): MatchLine {
    const { cents, currency } = this.variant;
    return line({ id: 1, amount_in_cents: cents, currency, booked_on: this.day(lag), ...given });
  }

  /** Payments of other customers and their lines, which quote the id and name the payer in full. */
  history(count: number, texts: (payment: MatchPayment, n: number) => Partial<MatchLine> = quoteId) {
    const payments: MatchPayment[] = [];
    const lines: MatchLine[] = [];
    for (let n = 0; n < count; n++) {
      const id = this.variant.id + 1_000_003 + n * 4099;
      const lag = -20 + (n % 18);
      const cents = this.variant.cents + 101 + n * 7;
      payments.push(
        this.payment(customerNames[n % customerNames.length] as string, { id, amount_in_cents: cents }, lag),
      );
      lines.push(
        this.line(
          { id: 1000 + n, amount_in_cents: cents, ...texts(payments[n] as MatchPayment, n) },
          lag + 1 + (n % 3),
        ),
      );
    }
    return { payments, lines };
  }
}

const quoteId = ({ id, names }: MatchPayment): Partial<MatchLine> => ({
  reference: String(id),
  counterparty: names[0] as string,
});

const customerNames =
  'Ada Novak,Ben Ohlin,Cora Pintor,Dag Quast,Eda Rusk,Finn Salo,Gia Tamm,Hal Uhde,Ira Voss,Jan Wirth,Kea Xander,Lou Yates,Max Zorn'.split(
    ',',
  );

/** Returns the confirmed matches of the given lines. */
export const listConfirmed = (rows: SampleRows, lineIds: readonly number[] = [1]): MatchGroup[] =>
  runGroups(rows).filter(
    ({ status, lines }) => status === 'confirmed' && lines.some(({ id }) => lineIds.includes(id)),
  );
