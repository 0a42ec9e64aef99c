import { createNonRetryableError, type Workpaper } from '../../../contract/index.ts';
import { addCents, type Cents, formatMoney } from '../../../domain/ledger/index.ts';
import type { GeneratedContent } from '../../bagit/bag-target.ts';

/** A file of an export. The content is computed while it is written. */
export interface ExportFile {
  readonly path: string;
  readonly content: GeneratedContent;
}

/** Totals of exported rows, to compare with the figures of the workpaper. */
export class ControlTotals {
  readonly #sums = new Map<string, Cents>();

  add(figure: string, currency: string, cents: Cents): void {
    const key = `${figure} ${currency}`;
    this.#sums.set(key, addCents(this.#sums.get(key) ?? 0, cents));
  }

  get(figure: string, currency: string): Cents {
    return this.#sums.get(`${figure} ${currency}`) ?? 0;
  }
}

/** A total that an export must have: the sum of these figures in one currency. */
export interface ExpectedTotal {
  /** Name under which the exported rows were added. */
  readonly name: string;
  readonly currency: string;
  readonly cents: Cents;
}

/** Returns the figures of a workpaper that consist of rows. */
export const listFigureTotals = ({ sections }: Workpaper): ExpectedTotal[] =>
  sections.flatMap(({ currency, schedules }) =>
    schedules.flatMap(({ lines }) =>
      lines
        .filter(({ opens }) => opens)
        .map(({ id: name, amount_in_cents: cents }) => ({ name, currency, cents })),
    ),
  );

/** Throws `corrupt` if a total of the exported rows differs from the workpaper. */
export function requireTotals(totals: ControlTotals, expected: readonly ExpectedTotal[]): void {
  for (const { name, currency, cents } of expected) {
    const exported = totals.get(name, currency);
    if (exported === cents) continue;
    throw createNonRetryableError(
      'corrupt',
      `The rows of ${name} add up to ${formatMoney(exported)} ${currency}, but the workpaper shows ${formatMoney(cents)}. Nothing was written.`,
      'See the qualifications of the period. Verify the books with: tieout audit verify',
    );
  }
}
