import type { CustomerNames } from '../indexes/customer-names.ts';
import {
  endsWithLegalForm,
  isExtendedName,
  listNameForms,
  type NameRelation,
  type PayerColumn,
  relateNames,
} from './name-relation.ts';
import type { MatchTables } from './proof-tables.ts';
import type { SeedPairs } from './seed-pairs.ts';

/** Number of names in a column from which its longest one is meaningful. Chosen by judgment. */
const MIN_NAMES_FOR_WIDTH = 30;
/** Minimum number of different names of the greatest length in a column that cuts names. Chosen by judgment. */
const MIN_CUT_NAMES = 4;
/** The same for a column with too few names for a meaningful longest one. Chosen by judgment. */
const MIN_CUT_NAMES_OF_FEW = 6;
/** Maximum number of pairs per account that show whether a column names the customers. */
const MAX_SAMPLED_PAIRS = 500;
/** Prior of the share of lines that name the customer: 4 of 5. Chosen by judgment. */
const PRIOR_NAMED = 4;
const PRIOR_NAMES = 5;
const MIN_NAMED_SHARE = 0.5;
const SEVERAL_LINES = -1;

interface ColumnWidth {
  longest: number;
  names: number;
  /** Number of different names of the greatest length, or one less, without complete names of customers. */
  longestNames: number;
}

/** Compares the payer that the counterparty field of a line names with the customer of a payment. */
export class PayerNames {
  readonly #tables: MatchTables;
  readonly #names: CustomerNames;
  readonly #widths: readonly ColumnWidth[];
  /** Per account: true if its counterparty fields name the payer, not for example the bank. */
  readonly #namesPayer: readonly boolean[];
  /** Line that quotes an id of a customer beside a name of its column's greatest length, by payer and customer. */
  readonly #linesWithLongName: ReadonlyMap<number, number>;
  #sortedNames: string[] | null = null;

  constructor(tables: MatchTables, names: CustomerNames, seeds: SeedPairs) {
    this.#tables = tables;
    this.#names = names;
    this.#widths = measureWidths(tables, names);
    this.#linesWithLongName = this.#findLinesWithLongName(seeds);
    this.#namesPayer = this.#sampleColumns(seeds);
  }

  /** Returns the relation of a line's payer to a payment's customer; null if the line or the payment names nobody. */
  relate(line: number, payment: number): NameRelation | null {
    const account = this.#tables.lines.account.at(line);
    return this.#namesPayer[account] === true ? this.#compare(line, payment) : null;
  }

  /**
   * Returns true if the payer's name is one character shorter than its column. The bank may have cut it at a space, which
   * most files omit.
   */
  mayBeCutAtSpace(line: number, payment: number): boolean {
    if (!this.namesPayer(line)) return false;
    const { lines } = this.#tables;
    const account = lines.account.at(line);
    const { length } = lines.payerNames.getText(lines.payer.at(line));
    return this.#describeColumn(account, length + 1).isCut && !this.#isComplete(line, payment);
  }

  /** Returns true if the payer's name extends the customer's name by a word, as that of another company. */
  extendsName(line: number, payment: number): boolean {
    if (!this.namesPayer(line)) return false;
    const { lines, payments } = this.#tables;
    const payer = lines.payerNames.getText(lines.payer.at(line));
    return isExtendedName(payer, this.#names.getNames(payments.customer.at(payment)));
  }

  /** Returns true if the line names a payer in its own field. */
  namesPayer(line: number): boolean {
    const { lines } = this.#tables;
    return lines.payer.at(line) !== -1 && this.#namesPayer[lines.account.at(line)] === true;
  }

  #compare(line: number, payment: number): NameRelation | null {
    const { lines, payments } = this.#tables;
    const payer = lines.payer.at(line);
    if (payer === -1) return null;
    const name = lines.payerNames.getText(payer);
    const customerNames = this.#names.getNames(payments.customer.at(payment));
    const measured = this.#describeColumn(lines.account.at(line), name.length);
    const column = { ...measured, isCut: measured.isCut && !this.#isComplete(line, payment) };
    if (!column.mayBeCut && customerNames.includes(name)) return 'same';
    const relation = relateNames(name, customerNames, column);
    if (relation !== 'same' || !column.mayBeCut) return relation;
    return this.#isCutOfOtherName(name, customerNames) ? 'compatible' : 'same';
  }

  /**
   * Returns true if a name that is as long as its column is not cut: it ends with a legal form, or another line with the
   * same name quotes an id of the same customer.
   */
  #isComplete(line: number, payment: number): boolean {
    const { lines } = this.#tables;
    if (endsWithLegalForm(lines.payerNames.getText(lines.payer.at(line)))) return true;
    const proved = this.#linesWithLongName.get(this.#toKey(line, payment));
    return proved !== undefined && proved !== line;
  }

  #toKey(line: number, payment: number): number {
    const { lines, payments } = this.#tables;
    return lines.payer.at(line) * (payments.length + 1) + payments.customer.at(payment);
  }

  #findLinesWithLongName(seeds: SeedPairs): Map<number, number> {
    const { lines, payments } = this.#tables;
    const found = new Map<number, number>();
    seeds.forEach((line, payment) => {
      const payer = lines.payer.at(line);
      if (payer === -1 || payments.customer.at(payment) === -1) return;
      const { longest } = this.#widths[lines.account.at(line)] as ColumnWidth;
      if (lines.payerNames.getText(payer).length < longest - 1) return;
      const key = this.#toKey(line, payment);
      found.set(key, found.has(key) ? SEVERAL_LINES : line);
    });
    return found;
  }

  #describeColumn(account: number, length: number): PayerColumn {
    const { longest, names, longestNames } = this.#widths[account] as ColumnWidth;
    const isMeasured = names >= MIN_NAMES_FOR_WIDTH;
    const minNames = isMeasured ? MIN_CUT_NAMES : MIN_CUT_NAMES_OF_FEW;
    const isLongest = length >= longest - 1;
    const isCut = length === longest && longestNames >= minNames;
    return { mayBeCut: isLongest && (!isMeasured || longestNames >= minNames), isCut };
  }

  /** Returns true if the name may be cut from the longer name of another customer. */
  #isCutOfOtherName(name: string, customerNames: readonly string[]): boolean {
    this.#sortedNames ??= [...new Set([...this.#names.listNames()].flatMap(listNameForms))].sort();
    const sorted = this.#sortedNames;
    const own = new Set(customerNames.flatMap(listNameForms));
    return listNameForms(name).some((cut) => {
      for (let at = findFirst(sorted, cut); at < sorted.length; at++) {
        const other = sorted[at] as string;
        if (!other.startsWith(cut)) return false;
        if (other !== cut && !own.has(other)) return true;
      }
      return false;
    });
  }

  /** Estimates per account whether its counterparty fields name the customers, from lines that quote an id. */
  #sampleColumns(seeds: SeedPairs): boolean[] {
    const { lines, accounts } = this.#tables;
    const samples = accounts.map(() => ({ named: 0, all: 0 }));
    const mask = chooseSampleMask(lines.length);
    seeds.forEach((line, payment) => {
      const sample = samples[lines.account.at(line)];
      if (sample === undefined || (mixBits(lines.contentHash.at(line)) & mask) !== 0) return;
      const relation = this.#compare(line, payment);
      if (relation === null) return;
      sample.all++;
      if (relation !== 'different') sample.named++;
    });
    return samples.map(({ named, all }) => (named + PRIOR_NAMED) / (all + PRIOR_NAMES) >= MIN_NAMED_SHARE);
  }
}

/** Returns a bit mask that selects a sample by content, so that the order of rows does not matter. */
function chooseSampleMask(lineCount: number): number {
  let mask = 0;
  while (lineCount / (mask + 1) > MAX_SAMPLED_PAIRS * 2) mask = mask * 2 + 1;
  return mask;
}

const mixBits = (hash: number): number => hash ^ (hash >>> 15);

function measureWidths({ lines, accounts }: MatchTables, customers: CustomerNames): ColumnWidth[] {
  let complete: Set<string> | null = null;
  const isComplete = (name: string): boolean => {
    complete ??= new Set([...customers.listNames()].flatMap(listNameForms));
    return listNameForms(name).some((form) => complete?.has(form) === true);
  };
  const namesOf = accounts.map(() => new Set<number>());
  for (let line = 0; line < lines.length; line++)
    if (lines.payer.at(line) !== -1) namesOf[lines.account.at(line)]?.add(lines.payer.at(line));
  return namesOf.map((names) => {
    const width: ColumnWidth = { longest: 0, names: names.size, longestNames: 0 };
    for (const name of names) width.longest = Math.max(width.longest, lines.payerNames.getText(name).length);
    for (const name of names) {
      const text = lines.payerNames.getText(name);
      if (text.length >= width.longest - 1 && !isComplete(text)) width.longestNames++;
    }
    return width;
  });
}

/** Returns the position of the first text that is not less than the given one. */
function findFirst(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
