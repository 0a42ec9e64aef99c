import { type CustomerNames, listSpellings } from '../indexes/customer-names.ts';
import { hashText } from '../indexes/text-runs.ts';
import { CHARGEBACK_WORDS, COMMON_WORDS, REFUND_WORDS, RETURN_WORDS } from './common-words.ts';
import { COMPANY_WORDS, CONJUNCTIONS, isRotation, listNameWords } from './name-relation.ts';
import type { MatchTables } from './proof-tables.ts';
import type { SeedPairs } from './seed-pairs.ts';

/** Number of customers in whose lines a word must occur to name none of them. Chosen by judgment. */
const MIN_CUSTOMERS = 3;
/** Share of all lines in which a word must occur to name nobody. Chosen by judgment. */
const MIN_COMMON_SHARE = 0.1;
const MIN_COMMON_LINES = 20;
/** Words of customers' names in a text that show another payer beside a word of the customer's. Chosen by judgment. */
const MIN_OTHER_NAME_WORDS = 2;
/** Number of words that nothing explains and that may name a stranger. Chosen by judgment. */
const MIN_UNKNOWN_WORDS = 2;

const unmark = (hash: number): number => hash & ~1;
const hashWords = (words: readonly string[]): number[] => words.map((word) => unmark(hashText(word)));
const isNameWord = (hash: number): boolean => (hash & 1) === 1;

interface WordUse {
  lines: number;
  /** Customers in whose lines the word occurs, at most as many as are required. */
  readonly customers: number[];
}

/**
 * Words of the lines' texts. A word that occurs in the lines of several customers belongs to the vocabulary of the
 * account. Any other word may name the payer.
 */
export class LineWords {
  readonly #tables: MatchTables;
  readonly #names: CustomerNames;
  readonly #common = new Set(hashWords(COMMON_WORDS));
  readonly #refund = new Set(hashWords(REFUND_WORDS));
  readonly #chargeback = new Set(hashWords(CHARGEBACK_WORDS));
  readonly #return = new Set(hashWords(RETURN_WORDS));
  readonly #company = new Set(hashWords(COMPANY_WORDS));
  readonly #conjunctions = new Set(hashWords([...CONJUNCTIONS]));
  readonly #vocabularies: readonly Set<number>[];

  constructor(tables: MatchTables, names: CustomerNames, seeds: SeedPairs) {
    this.#tables = tables;
    this.#names = names;
    this.#vocabularies = this.#learn(seeds);
  }

  /** Returns true if the text of a line has a word that is neither vocabulary nor part of the customer's name. */
  hasUnexplainedWord(line: number, payment: number): boolean {
    return this.#countForeignWords(line, payment, () => true) > 0;
  }

  /** Returns true if the text of a line has a word of a customer's name that the customer of the payment has not. */
  hasOtherNameWord(line: number, payment: number): boolean {
    return this.#countForeignWords(line, payment, isNameWord) > 0;
  }

  /** Returns true if the text of a line has a word of the name of another payment's customer that this customer has not. */
  namesCustomerOfOther(line: number, payment: number, other: number): boolean {
    const [own, others] = [this.#listOwnWords(payment), this.#listOwnWords(other)];
    return this.#listTextWords(line).some((hash) => {
      const word = unmark(hash);
      const isName = others.has(word) && !own.has(word) && !this.#company.has(word);
      return isName && !this.#isVocabulary(line, hash);
    });
  }

  /** Returns true if the text of a line seems to name another payer. */
  namesOtherPayer(line: number, payment: number): boolean {
    const foreign = this.#countForeignWords(line, payment, isNameWord);
    return foreign >= MIN_OTHER_NAME_WORDS || (foreign > 0 && !this.containsOwnNameWord(line, payment));
  }

  /** Returns true if the text of a line contains a part of the customer's name. */
  containsOwnNameWord(line: number, payment: number): boolean {
    const own = this.#listOwnWords(payment);
    return this.#listTextWords(line).some((hash) => own.has(unmark(hash)) && !this.#isVocabulary(line, hash));
  }

  /**
   * Returns true if the text contains all words of one of the customer's names, one after another. The family name of a
   * person may be first.
   */
  containsCompleteName(line: number, payment: number): boolean {
    const text = this.#listTextWords(line)
      .map(unmark)
      .filter((hash) => !this.#conjunctions.has(hash));
    const names = this.#names.getNames(this.#tables.payments.customer.at(payment)).flatMap(listNameWords);
    return names.some((words) => {
      const own = hashWords(words.filter((word) => word !== '&'));
      const areEqual = own.length < words.length ? areSameInOrder : isRotation;
      return text.some((_, from) => areEqual(text.slice(from, from + own.length), own));
    });
  }

  /** Returns true if the text names a company that the customer is not, or has several words that nothing explains. */
  mayNameStranger(line: number, payment: number): boolean {
    const foreign = this.#countForeignWords(line, payment, () => true);
    if (foreign >= MIN_UNKNOWN_WORDS) return true;
    return (
      foreign > 0 && this.#countForeignWords(line, payment, (hash) => this.#company.has(unmark(hash))) > 0
    );
  }

  /** Returns true if the text of incoming money states that it is money sent back. */
  statesReturn(line: number): boolean {
    return this.#listTextWords(line).some((hash) => this.#return.has(unmark(hash)));
  }

  /** Returns true if the text states that a bank or a card scheme takes money back. */
  statesChargeback(line: number): boolean {
    return this.#listTextWords(line).some((hash) => this.#chargeback.has(unmark(hash)));
  }

  /** Returns true if the text states that money is returned. */
  statesRefund(line: number): boolean {
    return this.#listTextWords(line).some((hash) => this.#refund.has(unmark(hash)));
  }

  #countForeignWords(line: number, payment: number, isCounted: (hash: number) => boolean): number {
    const foreign = this.#listTextWords(line).filter(
      (hash) => isCounted(hash) && !this.#isVocabulary(line, hash),
    );
    if (foreign.length === 0) return 0;
    const own = this.#countOwnWords(payment);
    return foreign.filter((hash) => {
      const word = unmark(hash);
      const count = own.get(word) ?? 0;
      own.set(word, count - 1);
      return count <= 0;
    }).length;
  }

  #isVocabulary(line: number, hash: number): boolean {
    const word = unmark(hash);
    return (
      this.#common.has(word) ||
      this.#vocabularies[this.#tables.lines.account.at(line)]?.has(word) === true ||
      this.#refund.has(word)
    );
  }

  #listTextWords(line: number): number[] {
    const { wordsFrom, wordHashes, textWordCount } = this.#tables.lines;
    const from = wordsFrom.at(line);
    const words: number[] = [];
    for (let at = from; at < from + textWordCount.at(line); at++) words.push(wordHashes.at(at));
    return words;
  }

  #listOwnWords(payment: number): Set<number> {
    return new Set(this.#countOwnWords(payment).keys());
  }

  /** Returns how often each word occurs in a name of the customer: the greatest number in one spelling. */
  #countOwnWords(payment: number): Map<number, number> {
    const most = new Map<number, number>();
    if (payment === -1) return most;
    const names = this.#names.getNames(this.#tables.payments.customer.at(payment));
    for (const spelling of names.flatMap(listSpellings)) {
      const counts = new Map<number, number>();
      for (const word of spelling.match(/\p{L}+/gu) ?? []) {
        const hash = unmark(hashText(word));
        counts.set(hash, (counts.get(hash) ?? 0) + 1);
        most.set(hash, Math.max(most.get(hash) ?? 0, counts.get(hash) as number));
      }
    }
    return most;
  }

  #learn(seeds: SeedPairs): Set<number>[] {
    const { lines, payments, accounts } = this.#tables;
    const uses = accounts.map(() => new Map<number, WordUse>());
    const lineCounts = new Int32Array(accounts.length);
    const count = (line: number, customer: number, own: (hash: number) => boolean): void => {
      const accountUses = uses[lines.account.at(line)] as Map<number, WordUse>;
      for (const hash of this.#listTextWords(line)) {
        const word = unmark(hash);
        if (this.#common.has(word) || this.#company.has(word) || own(hash)) continue;
        countUse(accountUses, word, customer);
      }
    };
    seeds.forEach((line, payment) => {
      const { customer, subscriptionId } = payments;
      const person = customer.at(payment) === -1 ? -2 - subscriptionId.at(payment) : customer.at(payment);
      const ownWords = { set: null as Set<number> | null };
      count(line, person, (hash) => {
        if (!isNameWord(hash)) return false;
        ownWords.set ??= this.#listOwnWords(payment);
        return ownWords.set.has(unmark(hash));
      });
    });
    for (let line = 0; line < lines.length; line++) {
      const account = lines.account.at(line);
      lineCounts[account] = (lineCounts[account] as number) + 1;
      count(line, NOBODY, isNameWord);
    }
    return uses.map((words, account) => selectVocabulary(words, lineCounts[account] as number));
  }
}

const areSameInOrder = (words: readonly number[], others: readonly number[]): boolean =>
  words.length === others.length && words.every((word, at) => word === others[at]);

const NOBODY = -1;

function countUse(uses: Map<number, WordUse>, word: number, customer: number): void {
  let use = uses.get(word);
  if (use === undefined) {
    use = { lines: 0, customers: [] };
    uses.set(word, use);
  }
  if (customer === NOBODY) use.lines++;
  else if (use.customers.length < MIN_CUSTOMERS && !use.customers.includes(customer))
    use.customers.push(customer);
}

function selectVocabulary(uses: ReadonlyMap<number, WordUse>, lineCount: number): Set<number> {
  const vocabulary = new Set<number>();
  const minLines = Math.max(MIN_COMMON_LINES, lineCount * MIN_COMMON_SHARE);
  for (const [word, { lines, customers }] of uses)
    if (customers.length >= MIN_CUSTOMERS || lines >= minLines) vocabulary.add(word);
  return vocabulary;
}
