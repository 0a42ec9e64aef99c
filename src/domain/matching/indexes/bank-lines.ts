import { type BankLineKind, bankLineKinds } from '../../bankfiles/model/line-kind.ts';
import { matchesRule } from '../model/match-rule.ts';
import type { MatchAccount, MatchLine, MatchRule } from '../model/match-types.ts';
import { IntColumn, NumberColumn, NumberIndex, TextNumbering } from './columns.ts';
import type { CustomerNames } from './customer-names.ts';
import { DESCRIPTION_FIELD, IdEvidence, REFERENCE_FIELD } from './id-evidence.ts';
import { type DayNumberCache, type PaymentTable, toCurrencyIndex } from './payments.ts';
import { CharacterRuns, HASH_SEED, hashText, mixHash } from './text-runs.ts';

export const toLineKindIndex = (kind: BankLineKind): number => bankLineKinds.indexOf(kind);
export const getLineKind = (index: number): BankLineKind => bankLineKinds[index] as BankLineKind;

/** Kinds of lines in processor reports that are not customer payments. */
const NON_PAYMENT_KINDS_AT_PROCESSOR = (
  ['fee', 'payout', 'reserve', 'fx', 'adjustment', 'transfer', 'interest'] as const
).map(toLineKindIndex);
const NON_PAYMENT_KINDS_AT_BANK = (['fee', 'fx', 'interest'] as const).map(toLineKindIndex);
/** Maximum number of words stored per bank line. Chosen by judgment. */
const MAX_WORDS_PER_LINE = 12;
const MAX_NAME_KEYS_PER_LINE = 6;
/** Index of the counterparty field, which contains names but no ids. */
const COUNTERPARTY_FIELD = 2;

/** Words that identify a processor's deposit in a bank line. */
const DEPOSIT_WORDS =
  'payout payouts settlement settlements disbursement stripe adyen paypal braintree worldpay gocardless mollie klarna checkout square authnet authorize bankcard merchant'.split(
    ' ',
  );

/** Bank lines stored in columns, with facts extracted from their texts. The texts themselves are not stored. */
export class BankLineTable {
  readonly id: NumberColumn;
  readonly day: IntColumn;
  readonly account: IntColumn;
  readonly currency: IntColumn;
  readonly kind: IntColumn;
  readonly amountCents: NumberColumn;
  /** Per line: amount that no decision has claimed, in cents. */
  readonly openCents: NumberColumn;
  /** Per line: hash of its content, which breaks ties independently of line ids. */
  readonly contentHash: IntColumn;
  /** Per line: index of its payout in a payout report, or -1 if there is none. */
  readonly payoutIndex: IntColumn;
  readonly feeCents: NumberColumn;
  /** Per line: 1 if its text describes a processor's deposit. */
  readonly isDeposit: IntColumn;
  /** Per line: index of the user's rule that assigns it, or -1 if there is none. */
  readonly assigningRule: IntColumn;
  readonly toleranceRule: IntColumn;
  /** Start of each line's name keys and words. Has one more entry than there are lines. */
  readonly nameKeysFrom: IntColumn;
  readonly nameKeys = new IntColumn();
  readonly wordsFrom: IntColumn;
  /** Word hashes. The lowest bit is 1 if the word occurs in the name of a customer. */
  readonly wordHashes: IntColumn;
  /** Per line: number of words before those of the counterparty field. */
  readonly textWordCount: IntColumn;
  /** Per line: number of the payer's name in `payerNames`, or -1 if the counterparty field is empty. */
  readonly payer: IntColumn;
  readonly payerNames = new TextNumbering();
  readonly evidence: IdEvidence;
  readonly #rows: NumberIndex;

  #contentHash = HASH_SEED;
  #isDeposit = 0;
  #wordCount = 0;
  readonly #nameKeys = new Set<number>();
  readonly #addNameKey = (key: number): void => {
    if (this.#nameKeys.size < MAX_NAME_KEYS_PER_LINE) this.#nameKeys.add(key);
  };

  readonly #textRuns = new CharacterRuns();
  readonly #depositWords = new Set(DEPOSIT_WORDS.map(hashText));
  readonly #assigningRules: readonly (readonly [MatchRule, number])[];
  readonly #toleranceRules: readonly (readonly [MatchRule, number])[];
  readonly #customerNames: CustomerNames;
  readonly #accounts: readonly MatchAccount[];
  readonly #payoutNumbering: TextNumbering;
  readonly #currencies: TextNumbering;

  constructor(options: {
    payments: PaymentTable;
    customerNames: CustomerNames;
    accounts: readonly MatchAccount[];
    rules: readonly MatchRule[];
    payouts: TextNumbering;
    currencies: TextNumbering;
    expected?: number | undefined;
  }) {
    const { payments, accounts, rules, expected } = options;
    const numbers = () => new NumberColumn(expected);
    const ints = () => new IntColumn(expected);
    [this.id, this.amountCents, this.openCents, this.feeCents] = [numbers(), numbers(), numbers(), numbers()];
    [this.day, this.account, this.currency, this.kind] = [ints(), ints(), ints(), ints()];
    [this.contentHash, this.payoutIndex, this.isDeposit] = [ints(), ints(), ints()];
    [this.assigningRule, this.toleranceRule] = [ints(), ints()];
    [this.nameKeysFrom, this.wordsFrom] = [ints(), ints()];
    [this.textWordCount, this.payer] = [ints(), ints()];
    this.wordHashes = new IntColumn(expected === undefined ? undefined : expected * 3);
    this.#rows = new NumberIndex(expected);
    this.#customerNames = options.customerNames;
    this.#accounts = accounts;
    this.#payoutNumbering = options.payouts;
    this.#currencies = options.currencies;
    const numbered = rules.map((rule, at) => [rule, at] as const);
    this.#assigningRules = numbered.filter(([{ action }]) => action.do !== 'tolerate');
    this.#toleranceRules = numbered.filter(([{ action }]) => action.do === 'tolerate');
    this.evidence = new IdEvidence(
      payments,
      accounts.some(({ kind }) => kind === 'processor'),
    );
    this.nameKeysFrom.push(0);
    this.wordsFrom.push(0);
  }

  get length(): number {
    return this.id.length;
  }

  add(
    line: MatchLine,
    days: DayNumberCache,
    accountIndexById: ReadonlyMap<number, number>,
    claimed: number,
  ): number {
    if (this.findRow(line.id) !== -1) throw new RangeError(`bank line ${line.id} occurs twice`);
    const account = accountIndexById.get(line.account);
    if (account === undefined)
      throw new RangeError(`bank line ${line.id} belongs to unknown account ${line.account}`);
    const row = this.id.push(line.id);
    this.#rows.add(line.id, row);
    const day = days.toDayNumber(line.booked_on);
    const open = line.amount_in_cents - claimed;
    const currency = toCurrencyIndex(this.#currencies, line.currency);
    this.day.push(day);
    this.account.push(account);
    this.currency.push(currency);
    this.kind.push(toLineKindIndex(line.kind));
    this.amountCents.push(line.amount_in_cents);
    this.openCents.push(open);
    this.feeCents.push(line.fee_in_cents ?? 0);
    this.assigningRule.push(this.#assigningRules.find(([rule]) => matchesRule(rule, line))?.[1] ?? -1);
    this.toleranceRule.push(this.#toleranceRules.find(([rule]) => matchesRule(rule, line))?.[1] ?? -1);
    const isBankLine = this.#accounts[account]?.kind !== 'processor';
    this.payoutIndex.push(
      !isBankLine && line.payout_id !== null
        ? this.#payoutNumbering.assignNumber(`${account} ${currency} ${line.payout_id}`)
        : -1,
    );
    this.evidence.beginLine({ row, openCents: open, day, currency, account }, isBankLine);
    this.#readTexts(line, this.canBePayment(row));
    return row;
  }

  /** Returns the row of a line; -1 if the id is unknown. */
  findRow(id: number): number {
    const link = this.#rows.findFirstLink(id);
    return link === -1 ? -1 : this.#rows.getRow(link);
  }

  /** Returns true if a line may be a payment or a refund. Fees, transfers and similar kinds cannot be. */
  canBePayment(row: number): boolean {
    return !(this.isProcessorLine(row) ? NON_PAYMENT_KINDS_AT_PROCESSOR : NON_PAYMENT_KINDS_AT_BANK).includes(
      this.kind.at(row),
    );
  }

  isProcessorLine(row: number): boolean {
    return this.#accounts[this.account.at(row)]?.kind === 'processor';
  }

  #readTexts(line: MatchLine, canBePayment: boolean): void {
    this.#contentHash = HASH_SEED;
    this.#isDeposit = 0;
    this.#wordCount = 0;
    this.#nameKeys.clear();
    if (canBePayment) this.evidence.addIdFields(line);
    if (line.reference !== null) this.#readText(line.reference, REFERENCE_FIELD, canBePayment);
    this.#readText(line.description, DESCRIPTION_FIELD, canBePayment);
    this.textWordCount.push(Math.min(this.#wordCount, MAX_WORDS_PER_LINE));
    const payer = line.counterparty?.trim() ?? '';
    this.payer.push(payer === '' ? -1 : this.payerNames.assignNumber(payer));
    if (line.counterparty !== null) this.#readText(line.counterparty, COUNTERPARTY_FIELD, false);
    for (const key of this.#nameKeys) {
      this.nameKeys.push(key);
      this.#customerNames.lineCount.set(key, this.#customerNames.lineCount.at(key) + 1);
    }
    this.contentHash.push(this.#contentHash);
    this.isDeposit.push(this.#isDeposit);
    this.nameKeysFrom.push(this.nameKeys.length);
    this.wordsFrom.push(this.wordHashes.length);
  }

  #readText(text: string, field: number, mayContainIds: boolean): void {
    const runs = this.#textRuns;
    let contentHash = mixHash(this.#contentHash, field);
    for (let at = 0; at < text.length; at++) contentHash = mixHash(contentHash, text.charCodeAt(at));
    this.#contentHash = contentHash;
    runs.parse(text);
    if (mayContainIds) this.evidence.addText(runs, field);
    this.#customerNames.findNames(runs, this.#addNameKey);
    for (let run = 0; run < runs.runCount; run++) {
      if (runs.runType[run] !== 1) continue;
      const isLetter = (runs.end[run] as number) - (runs.start[run] as number) === 1;
      if (isLetter && runs.groupRunCount(runs.groupOf[run] as number) > 1) continue;
      const hash = runs.hashRun(run);
      if (this.#depositWords.has(hash)) this.#isDeposit = 1;
      if (this.#wordCount++ >= MAX_WORDS_PER_LINE) continue;
      this.wordHashes.push(markNameWord(hash, this.#customerNames.isNameWord(runs, run)));
    }
  }
}

const markNameWord = (hash: number, isNameWord: boolean): number => (hash & ~1) | (isNameWord ? 1 : 0);
