import type { MatchLine } from '../model/match-types.ts';
import { IntColumn, NumberColumn } from './columns.ts';
import {
  type NumberInText,
  resemblesAmount,
  resemblesDate,
  resemblesOtherNumber,
  startsWithYear,
} from './number-forms.ts';
import { type NumberLookupOutcome, NumberPositions } from './number-positions.ts';
import { GATEWAY_ID, PAYOUT_ROW, type PaymentTable, SUBSCRIPTION_ID } from './payments.ts';
import {
  appendDigits,
  type CharacterRuns,
  HASH_SEED,
  hashCode,
  hashText,
  mixHash,
  normalizeCode,
  parseNumber,
} from './text-runs.ts';

/** Earliest day, relative to a payment, of a line that may name it. Chosen by judgment. */
const MIN_LAG_DAYS = -10;
const MAX_LAG_DAYS = 120;
/** Maximum number of unknown ids stored per line. Chosen by judgment. */
const MAX_UNKNOWN_IDS_PER_LINE = 6;
/** Hashes of words that introduce an id. After such a word, even a short number counts. */
const ID_LABEL_HASHES = new Set(
  'inv invoice invoices stmt statement pay payment pmt ref reference txn tx transaction trans id no nr num number order sub subscription'
    .split(' ')
    .map(hashText),
);
/** Word hash of a number that has no preceding word because it is a complete field. */
const WHOLE_FIELD = 1;
/** Position of ids that need no statistics, because the field contains only ids. */
export const ID_FIELD_POSITION = -1;
const CODE_POSITION = -2;
const CODE_VALUE = -1;
/** Smallest number that counts as an id on a line in another currency. Chosen by judgment. */
const MIN_FOREIGN_ID = 10_000;
/** Number of currencies that a column number can distinguish. */
const CURRENCY_SLOTS = 128;

export const REFERENCE_FIELD = 0;
export const DESCRIPTION_FIELD = 1;

/** Mentions of payments in bank lines: the kind of id, its position, and whether the amounts agree. */
export class IdMentions {
  readonly line = new IntColumn();
  readonly payment = new IntColumn();
  readonly kind = new IntColumn();
  /** Position of each id: an index into `NumberPositions`, or -1 for a field that contains only ids of that kind. */
  readonly position = new IntColumn();
  /** The number in the text; -1 for a code, which no slip turns into another id. */
  readonly value = new NumberColumn();

  add(line: number, payment: number, id: { kind: number; position: number; value: number }): void {
    this.line.push(line);
    this.payment.push(payment);
    this.kind.push(id.kind);
    this.position.push(id.position);
    this.value.push(id.value);
  }
}

/** Collects ids while lines are read, and then resolves them to payments. */
export class IdEvidence {
  readonly mentions = new IdMentions();
  /** Mentions of payments by lines with the opposite sign, which are payments reversed by a chargeback. */
  readonly reversals = new IdMentions();
  readonly positions = new NumberPositions();
  /** Payments whose id a line in another currency quotes. The line may be their converted receipt. */
  readonly quotedInOtherCurrency = new Set<number>();
  /** Ids that belong to no payment, with their line, position and number (-1 for a code). */
  readonly unknownLine = new IntColumn();
  readonly unknownPosition = new IntColumn();
  readonly unknownValue = new NumberColumn();
  /** Numbers that are ids of payments which the line cannot mean. */
  readonly impossibleLine = new IntColumn();
  readonly impossiblePosition = new IntColumn();
  readonly impossibleValue = new NumberColumn();
  /** Hashes of codes in bank lines, stored if they may identify payouts. */
  readonly payoutCodeLine = new IntColumn();
  readonly payoutCodes = new NumberColumn();

  readonly #payments: PaymentTable;
  readonly #hasProcessorPayouts: boolean;
  #line = { row: 0, openCents: 0, day: 0, currency: 0, account: 0 };
  #unknownIdCount = 0;
  #collectsPayoutCodes = false;

  constructor(payments: PaymentTable, hasProcessorPayouts: boolean) {
    this.#payments = payments;
    this.#hasProcessorPayouts = hasProcessorPayouts;
  }

  /** Starts a line. The fields and texts added next belong to it. */
  beginLine(
    line: { row: number; openCents: number; day: number; currency: number; account: number },
    isBankLine: boolean,
  ): void {
    this.#line = line;
    this.#unknownIdCount = 0;
    this.#collectsPayoutCodes = isBankLine && this.#hasProcessorPayouts;
  }

  /** Adds the fields of a line that contain only an id. */
  addIdFields({ gateway_transaction_id: gateway, payout_id: payout }: MatchLine): void {
    if (gateway !== null) {
      const addMention = (row: number): void => {
        this.#addMention(row, GATEWAY_ID, ID_FIELD_POSITION, CODE_VALUE);
      };
      if (!this.#payments.forEachWithCode(normalizeCode(gateway), addMention)) {
        this.#payments.forEachWithNumber(parseNumber(gateway), (row, kind) => {
          if (kind === GATEWAY_ID) addMention(row);
        });
      }
    }
    if (payout !== null && this.#collectsPayoutCodes) this.#addPayoutCode(hashCode(payout));
  }

  addText(runs: CharacterRuns, field: number): void {
    let lastIdGroup = -1;
    for (let group = 0; group < runs.groupCount; group++) {
      const to = this.#findGatewayId(runs, group);
      if (to >= group) {
        lastIdGroup = Math.max(lastIdGroup, to);
        this.positions.countKnown(this.#getCodePosition(runs, to, field), 2, GATEWAY_ID);
      }
      if (group <= lastIdGroup) continue;
      if (this.#collectsPayoutCodes) this.#collectPayoutCodes(runs, group);
      this.#addNumbers(runs, group, field);
      if (looksLikeCode(runs, group) && this.#unknownIdCount++ < MAX_UNKNOWN_IDS_PER_LINE)
        this.#addUnknown(this.#getCodePosition(runs, group, field), -1);
    }
  }

  /** Returns the last character group of a gateway id that starts here; -1 if none does. */
  #findGatewayId(runs: CharacterRuns, from: number): number {
    let hash = HASH_SEED;
    let length = 0;
    let lastGroup = -1;
    const last = Math.min(from + 4, runs.groupCount);
    for (let to = from; to < last; to++) {
      const end = runs.groupEnd(to);
      for (let at = runs.groupStart(to); at < end; at++, length++)
        hash = mixHash(hash, runs.text.charCodeAt(at));
      if (length > this.#payments.longestCode) break;
      if (length < this.#payments.shortestCode || !this.#payments.mayContainCode(hash)) continue;
      const addMention = (row: number): void => {
        this.#addMention(row, GATEWAY_ID, CODE_POSITION, CODE_VALUE);
      };
      if (this.#payments.forEachWithCode(runs.joinGroups(from, to), addMention)) lastGroup = to;
    }
    return lastGroup;
  }

  /** Collects possible payout ids: codes that consist of one character group or of several consecutive ones. */
  #collectPayoutCodes(runs: CharacterRuns, from: number): void {
    for (let to = from; to < Math.min(from + 4, runs.groupCount); to++)
      this.#addPayoutCode(hashCode(runs.joinGroups(from, to)));
  }

  #addPayoutCode(hash: number): void {
    if (hash === -1) return;
    this.payoutCodeLine.push(this.#line.row);
    this.payoutCodes.push(hash);
  }

  #getCodePosition(runs: CharacterRuns, group: number, field: number): number {
    const length = runs.groupEnd(group) - runs.groupStart(group);
    return this.positions.getPosition(this.#getColumn(field), mixHash(3, length));
  }

  /** Returns the number of the current line's column. Accounts and currencies do not influence each other. */
  #getColumn(field: number): number {
    const { account, currency } = this.#line;
    return (account * CURRENCY_SLOTS + currency) * 2 + field;
  }

  /** Adds a number, and the number joined with those that directly follow, because ids may be printed in parts. */
  #addNumbers(runs: CharacterRuns, group: number, field: number): void {
    const run = (runs.groupFrom[group + 1] as number) - 1;
    if (runs.runType[run] !== 2 || runs.groupRunCount(group) > 2) return;
    const word = this.#hashPrecedingWord(runs, run, group);
    const isLabelled = word === WHOLE_FIELD || ID_LABEL_HASHES.has(word);
    const start = runs.start[run] as number;
    const add = (value: number, end: number, position: { word: number; field: number }): void => {
      const number = { text: runs.text, start, end, value };
      this.#addNumber(value, this.#getNumberPosition(number, { ...position, isLabelled }));
    };
    let value = runs.readNumber(run);
    let width = (runs.end[run] as number) - start;
    if (value > 0 && (width > 2 || ID_LABEL_HASHES.has(word)))
      add(value, runs.end[run] as number, { word, field });
    for (let next = group + 1; next < Math.min(group + 4, runs.groupCount) && value >= 0; next++) {
      if (!continuesNumber(runs, next)) break;
      const at = runs.groupFrom[next] as number;
      value = appendDigits(runs.text, runs.start[at] as number, runs.end[at] as number, value);
      width += (runs.end[at] as number) - (runs.start[at] as number);
      if (value > 0 && width > 5) add(value, runs.end[at] as number, { word: mixHash(word, 2), field });
    }
  }

  /** Returns the position of a number. A number that is readable as a date or an amount has a position of its own. */
  #getNumberPosition(
    number: NumberInText,
    { word, field, isLabelled }: { word: number; field: number; isLabelled: boolean },
  ): number {
    const { day, openCents } = this.#line;
    const isReadable =
      resemblesDate(number.value, day) ||
      resemblesAmount(number, openCents) ||
      startsWithYear(number, day) ||
      resemblesOtherNumber(number);
    const column = this.#getColumn(field);
    return isReadable
      ? this.positions.getReadablePosition(column, word, isLabelled)
      : this.positions.getPosition(column, word);
  }

  /** Returns a hash of the word before a number, or a marker if the number is a complete field. */
  #hashPrecedingWord(runs: CharacterRuns, run: number, group: number): number {
    if (run > 0 && runs.runType[run - 1] === 1) {
      if (
        runs.groupOf[run - 1] === group ||
        (runs.start[run] as number) - (runs.end[run - 1] as number) < 4
      ) {
        return runs.hashRun(run - 1);
      }
    }
    return runs.runCount === 1 ? WHOLE_FIELD : 0;
  }

  #addNumber(value: number, position: number): void {
    let best: NumberLookupOutcome | null = null;
    let bestKind = 0;
    const isKnown = this.#payments.forEachWithNumber(value, (row, kind) => {
      const outcome = this.#addMention(row, kind, position, value);
      if (outcome === null || outcome < (best ?? 0)) return;
      // The number may fit several kinds equally well. The strongest one is counted, whatever the order of the payments.
      bestKind = outcome === best ? Math.min(bestKind, kind) : kind;
      best = outcome;
    });
    if (isKnown) {
      if (best !== null) this.positions.countKnown(position, best, bestKind);
      if (best === null) this.#addQuotesInOtherCurrency(value);
      if (best === null || best === 0) {
        this.impossibleLine.push(this.#line.row);
        this.impossiblePosition.push(position);
        this.impossibleValue.push(value);
      }
    } else if (this.#unknownIdCount++ < MAX_UNKNOWN_IDS_PER_LINE) {
      this.#addUnknown(position, value);
    }
  }

  /** Adds the payments that a line in another currency quotes. No payment in the line's currency has the number. */
  #addQuotesInOtherCurrency(value: number): void {
    if (value < MIN_FOREIGN_ID) return;
    this.#payments.forEachWithNumber(value, (row, kind) => {
      const lag = this.#line.day - this.#payments.day.at(row);
      if (kind < SUBSCRIPTION_ID && isPossibleLag(lag)) this.quotedInOtherCurrency.add(row);
    });
  }

  #addUnknown(position: number, value: number): void {
    this.positions.countUnknown(position);
    this.unknownLine.push(this.#line.row);
    this.unknownPosition.push(position);
    this.unknownValue.push(value);
  }

  /** Adds a mention if it is possible. Returns null for a payment in another currency, which says nothing. */
  #addMention(row: number, kind: number, position: number, value: number): NumberLookupOutcome | null {
    const payments = this.#payments;
    const line = this.#line;
    const open = payments.openCents.at(row);
    const lag = line.day - payments.day.at(row);
    if (payments.currency.at(row) !== line.currency) return null;
    if (!isPossibleLag(lag)) return 0;
    if (payments.rowType.at(row) === PAYOUT_ROW) return 0;
    if (Math.sign(open) !== Math.sign(line.openCents)) {
      if (line.openCents < 0 && payments.amountCents.at(row) >= -line.openCents && kind < SUBSCRIPTION_ID) {
        this.reversals.add(line.row, row, { kind, position, value });
        return 1;
      }
      return 0;
    }
    const equal = open === line.openCents;
    if (!equal && kind === SUBSCRIPTION_ID) return 0;
    this.mentions.add(line.row, row, { kind, position, value });
    return equal ? 2 : 1;
  }
}

const isPossibleLag = (days: number): boolean => days >= MIN_LAG_DAYS && days <= MAX_LAG_DAYS;

/** Returns true if a character group consists of digits and follows the previous group after a single separator. */
function continuesNumber(runs: CharacterRuns, group: number): boolean {
  const run = runs.groupFrom[group] as number;
  if (runs.runType[run] !== 2 || runs.groupRunCount(group) > 1) return false;
  const gap = runs.text.slice(runs.groupEnd(group - 1), runs.start[run]);
  return gap.length === 1 && ' -./'.includes(gap);
}

/** Returns true if letters and digits alternate, as they do in no word. */
function looksLikeCode(runs: CharacterRuns, group: number): boolean {
  const length = runs.groupEnd(group) - runs.groupStart(group);
  const count = runs.groupRunCount(group);
  return length >= 6 && (count > 2 || (count === 2 && runs.runType[runs.groupFrom[group] as number] === 2));
}
