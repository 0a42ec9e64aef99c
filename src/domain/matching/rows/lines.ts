import { type LineKind, lineKinds } from '../../bankfiles/line-kind.ts';
import type { MatchAccount, MatchLine } from '../model.ts';
import { fits, type UserRule } from '../user-rule.ts';
import { Ints, type Names, NumberIndex, Numbers } from './column.ts';
import { DESCRIPTION, Evidence, REFERENCE } from './evidence.ts';
import type { Payees } from './payees.ts';
import { currencyOf, type Days, type Payments } from './payments.ts';
import { HASH_SEED, hashOf, mixed, Runs } from './text.ts';

export const kindNumber = (kind: LineKind): number => lineKinds.indexOf(kind);
export const kindName = (number: number): LineKind => lineKinds[number] as LineKind;

/** Kinds of lines that are no payment of a customer’s: at a processor, and at a bank, whose codes say less. */
const INNER = (['fee', 'payout', 'reserve', 'fx', 'adjustment', 'transfer', 'interest'] as const).map(
  kindNumber,
);
const CHARGES = (['fee', 'fx', 'interest'] as const).map(kindNumber);
const MOST_WORDS = 8;
const MOST_KEYS = 6;
/** The counterparty: names, and no ids. */
const PAYEE = 2;

/** What a deposit of a processor calls itself. */
const DEPOSIT_WORDS =
  'payout payouts settlement settlements disbursement stripe adyen paypal braintree worldpay gocardless mollie klarna checkout square authnet authorize bankcard merchant'.split(
    ' ',
  );

/** Lines in columns, with what their texts say; the texts themselves are not kept. */
export class Lines {
  readonly id: Numbers;
  readonly day: Ints;
  readonly account: Ints;
  readonly currency: Ints;
  readonly kind: Ints;
  readonly amount: Numbers;
  readonly open: Numbers;
  /** Decides ties by what a line says, so that its id does not. */
  readonly tie: Ints;
  readonly payout: Ints;
  readonly fee: Numbers;
  /** 1: it says that it is a processor’s deposit. */
  readonly deposit: Ints;
  /** The user’s rule that takes it, and the one that lets it differ; -1: none. */
  readonly taker: Ints;
  readonly tolerance: Ints;
  /** Where its name keys and its words begin; one more than there are lines. */
  readonly keysFrom: Ints;
  readonly keys = new Ints();
  readonly wordsFrom: Ints;
  readonly words: Ints;
  readonly evidence: Evidence;
  readonly #rows: NumberIndex;

  /** Of the line that is being read. */
  #tie = HASH_SEED;
  #deposit = 0;
  #words = 0;
  readonly #found = new Set<number>();
  readonly #keep = (key: number): void => {
    if (this.#found.size < MOST_KEYS) this.#found.add(key);
  };

  readonly #runs = new Runs();
  readonly #depositWords = new Set(DEPOSIT_WORDS.map(hashOf));
  readonly #takers: readonly (readonly [UserRule, number])[];
  readonly #tolerances: readonly (readonly [UserRule, number])[];
  readonly #payees: Payees;
  readonly #accounts: readonly MatchAccount[];
  readonly #batches: Names;
  readonly #currencies: Names;

  constructor(known: {
    payments: Payments;
    payees: Payees;
    accounts: readonly MatchAccount[];
    rules: readonly UserRule[];
    batches: Names;
    currencies: Names;
    expected?: number | undefined;
  }) {
    const { expected } = known;
    const numbers = () => new Numbers(expected);
    const ints = () => new Ints(expected);
    [this.id, this.amount, this.open, this.fee] = [numbers(), numbers(), numbers(), numbers()];
    [this.day, this.account, this.currency, this.kind] = [ints(), ints(), ints(), ints()];
    [this.tie, this.payout, this.deposit] = [ints(), ints(), ints()];
    [this.taker, this.tolerance, this.keysFrom, this.wordsFrom] = [ints(), ints(), ints(), ints()];
    this.words = new Ints(expected === undefined ? undefined : expected * 3);
    this.#rows = new NumberIndex(expected);
    this.#payees = known.payees;
    this.#accounts = known.accounts;
    this.#batches = known.batches;
    this.#currencies = known.currencies;
    const numbered = known.rules.map((rule, at) => [rule, at] as const);
    this.#takers = numbered.filter(([{ action }]) => action.do !== 'tolerate');
    this.#tolerances = numbered.filter(([{ action }]) => action.do === 'tolerate');
    this.evidence = new Evidence(
      known.payments,
      known.accounts.some(({ kind }) => kind === 'processor'),
    );
    this.keysFrom.push(0);
    this.wordsFrom.push(0);
  }

  get length(): number {
    return this.id.length;
  }

  add(line: MatchLine, days: Days, accountOf: ReadonlyMap<number, number>, claimed: number): number {
    if (this.rowOf(line.id) !== -1) throw new RangeError(`line ${line.id} is there twice`);
    const account = accountOf.get(line.account);
    if (account === undefined)
      throw new RangeError(`line ${line.id} is of account ${line.account}, which is not there`);
    const row = this.id.push(line.id);
    this.#rows.add(line.id, row);
    const day = days.of(line.booked_on);
    const open = line.amount_in_cents - claimed;
    const currency = currencyOf(this.#currencies, line.currency);
    this.day.push(day);
    this.account.push(account);
    this.currency.push(currency);
    this.kind.push(kindNumber(line.kind));
    this.amount.push(line.amount_in_cents);
    this.open.push(open);
    this.fee.push(line.fee_in_cents ?? 0);
    this.taker.push(this.#takers.find(([rule]) => fits(rule, line))?.[1] ?? -1);
    this.tolerance.push(this.#tolerances.find(([rule]) => fits(rule, line))?.[1] ?? -1);
    const atBank = this.#accounts[account]?.kind !== 'processor';
    this.payout.push(
      !atBank && line.payout_id !== null
        ? this.#batches.number(`${account} ${currency} ${line.payout_id}`)
        : -1,
    );
    this.evidence.line(row, open, day, currency, atBank);
    this.#read(line, this.mayPay(row));
    return row;
  }

  /** The row of a line; -1 where there is none. */
  rowOf(id: number): number {
    const link = this.#rows.first(id);
    return link === -1 ? -1 : this.#rows.row(link);
  }

  /** Whether the line may be a payment or a refund: fees, transfers and the like are not. */
  mayPay(row: number): boolean {
    return !(this.isProcessor(row) ? INNER : CHARGES).includes(this.kind.at(row));
  }

  isProcessor(row: number): boolean {
    return this.#accounts[this.account.at(row)]?.kind === 'processor';
  }

  #read(line: MatchLine, pays: boolean): void {
    this.#tie = HASH_SEED;
    this.#deposit = 0;
    this.#words = 0;
    this.#found.clear();
    if (pays) this.evidence.fields(line);
    if (line.reference !== null) this.#text(line.reference, REFERENCE, pays);
    this.#text(line.description, DESCRIPTION, pays);
    if (line.counterparty !== null) this.#text(line.counterparty, PAYEE, false);
    for (const key of this.#found) {
      this.keys.push(key);
      this.#payees.lines.set(key, this.#payees.lines.at(key) + 1);
    }
    this.tie.push(this.#tie);
    this.deposit.push(this.#deposit);
    this.keysFrom.push(this.keys.length);
    this.wordsFrom.push(this.words.length);
  }

  #text(text: string, field: number, ids: boolean): void {
    const runs = this.#runs;
    let tie = mixed(this.#tie, field);
    for (let at = 0; at < text.length; at++) tie = mixed(tie, text.charCodeAt(at));
    this.#tie = tie;
    runs.read(text);
    if (ids) this.evidence.text(runs, field);
    this.#payees.find(runs, this.#keep);
    for (let run = 0; run < runs.count; run++) {
      if (runs.sort[run] !== 1 || (runs.end[run] as number) - (runs.start[run] as number) < 3) continue;
      const hash = runs.hash(run);
      if (this.#depositWords.has(hash)) this.#deposit = 1;
      if (this.#words++ < MOST_WORDS) this.words.push(hash);
    }
  }
}
