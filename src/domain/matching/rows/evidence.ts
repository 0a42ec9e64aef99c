import type { MatchLine } from '../model.ts';
import { Ints, Numbers } from './column.ts';
import { GATEWAY, OF_PAYOUT, type Payments, SUBSCRIPTION } from './payments.ts';
import { codeHash, codeOf, digits, HASH_SEED, hashOf, mixed, numberOf, type Runs } from './text.ts';

/** Days after a payment in which a line that names it is about it. An id in text outside of them is a coincidence. */
const FROM = -10;
const TO = 120;
const MOST_TOKENS = 6;
const KINDS = 8;
const LABELS = new Set(
  'inv invoice invoices stmt statement pay payment pmt ref reference txn tx transaction trans id no nr num number order sub subscription'
    .split(' ')
    .map(hashOf),
);
/** The word before a number that is all of its field. */
const WHOLE = 1;
/** Places of ids that need no telling: a field for them, and codes, which no other number looks like. */
export const FIELD = -1;
const CODE = -2;

export const REFERENCE = 0;
export const DESCRIPTION = 1;

/** That a line names a payment: by which id, where it stands, and whether the amounts agree. */
export class Mentions {
  readonly line = new Ints();
  readonly payment = new Ints();
  readonly kind = new Ints();
  /** Where the id stood: a place of `Places`, or -1 for a field that holds nothing but such ids. */
  readonly place = new Ints();

  add(line: number, payment: number, kind: number, place: number): void {
    this.line.push(line);
    this.payment.push(payment);
    this.kind.push(kind);
    this.place.push(place);
  }
}

/**
 * Places where numbers stand: the field, and the word before. Texts are full of numbers that are other people’s; how often those of a place
 * are a payment that cannot be meant tells whether ids of ours stand there.
 */
class Places {
  readonly #known = new Map<number, number>();
  readonly #wider = new Ints();
  readonly #hits = new Ints();
  readonly #near = new Ints();
  readonly #noise = new Ints();
  readonly #unknown = new Ints();
  readonly #kinds = new Ints();

  of(field: number, word: number): number {
    return this.#place(mixed(mixed(HASH_SEED, word), field), field);
  }

  /** A number that is a payment’s: one that may be meant with its amount (2), with another amount (1), or cannot be meant (0). */
  resolved(place: number, how: 0 | 1 | 2, kind: number): void {
    const column = how === 2 ? this.#hits : how === 1 ? this.#near : this.#noise;
    for (const at of this.#and(place)) {
      column.set(at, column.at(at) + 1);
      if (how === 2) this.#kinds.set(at * KINDS + kind, this.#kinds.at(at * KINDS + kind) + 1);
    }
  }

  /** A number that is nobody’s we know. */
  unresolved(place: number): void {
    for (const at of this.#and(place)) this.#unknown.set(at, this.#unknown.at(at) + 1);
  }

  /** Whether its numbers are ids of that kind: those that are a payment’s could be meant, all but a few. */
  trusted(place: number, kind: number): boolean {
    if (place < 0) return true;
    const seen = this.#hits.at(place) + this.#near.at(place) + this.#noise.at(place);
    const at = seen < 20 ? this.#wider.at(place) : place;
    const hits = this.#hits.at(at);
    if (hits >= 20 && this.#kinds.at(at * KINDS + kind) < hits * 0.15) return false;
    return this.#noise.at(at) <= 2 + hits * 0.02 && this.#near.at(at) <= 3 + hits * 0.5;
  }

  /** Whether lines say their reference here, so that one nobody knows speaks against a payment of ours. */
  speaks(place: number): boolean {
    const hits = this.#hits.at(place);
    return (
      hits >= 3 && this.#noise.at(place) <= 2 + hits * 0.02 && this.#unknown.at(place) <= 1 + hits * 0.15
    );
  }

  #and(place: number): readonly number[] {
    const wider = this.#wider.at(place);
    return wider === place ? [place] : [place, wider];
  }

  #place(hash: number, field: number): number {
    const known = this.#known.get(hash);
    if (known !== undefined) return known;
    const place = this.#hits.push(0);
    for (const column of [this.#near, this.#noise, this.#unknown]) column.push(0);
    for (let kind = 0; kind < KINDS; kind++) this.#kinds.push(0);
    this.#known.set(hash, place);
    this.#wider.push(place);
    const wider = mixed(0, field);
    if (hash !== wider) this.#wider.set(place, this.#place(wider, field));
    return place;
  }
}

/** What lines say of ids: read once as each line comes, and resolved when all have. */
export class Evidence {
  readonly mentions = new Mentions();
  /** Mentions with the other sign: what a chargeback takes back. */
  readonly reversals = new Mentions();
  readonly places = new Places();
  /** Ids that are no payment’s: the line, its place, and the number (-1: a code). */
  readonly unknownLine = new Ints();
  readonly unknownPlace = new Ints();
  readonly unknownValue = new Numbers();
  /** Codes of lines at banks, as hashes, kept where a processor’s batches are to be found by them. */
  readonly codeLine = new Ints();
  readonly codes = new Numbers();

  readonly #payments: Payments;
  readonly #withBatches: boolean;
  #line = 0;
  #open = 0;
  #day = 0;
  #currency = 0;
  #seen = 0;
  #keeps = false;

  constructor(payments: Payments, withBatches: boolean) {
    this.#payments = payments;
    this.#withBatches = withBatches;
  }

  /** Begins a line; `open` is what there is to match of it. */
  line(row: number, open: number, day: number, currency: number, keep: boolean): void {
    this.#line = row;
    this.#open = open;
    this.#day = day;
    this.#currency = currency;
    this.#seen = 0;
    this.#keeps = keep && this.#withBatches;
  }

  /** Fields that hold an id and nothing else. */
  fields({ gateway_transaction_id: gateway, payout_id: payout }: MatchLine): void {
    if (gateway !== null) {
      const found = (row: number): void => {
        this.#mention(row, GATEWAY, FIELD);
      };
      if (!this.#payments.byCode(codeOf(gateway), found)) {
        this.#payments.byNumber(numberOf(gateway), (row, kind) => {
          if (kind === GATEWAY) found(row);
        });
      }
    }
    if (payout !== null && this.#keeps) this.#keep(codeHash(payout));
  }

  /** The ids in a text. */
  text(runs: Runs, field: number): void {
    let known = -1;
    for (let group = 0; group < runs.groups; group++) {
      const to = this.#codes(runs, group);
      if (to >= group) {
        known = Math.max(known, to);
        this.places.resolved(this.#codePlace(runs, to, field), 2, GATEWAY);
      }
      if (group <= known) continue;
      if (this.#keeps) this.#keepCodes(runs, group);
      this.#numbers(runs, group, field);
      if (looksLikeCode(runs, group) && this.#seen++ < MOST_TOKENS) {
        this.#unknown(this.#codePlace(runs, group, field), -1);
      }
    }
  }

  /** The group with which a gateway’s id that begins here ends; -1 where none begins. */
  #codes(runs: Runs, from: number): number {
    let hash = HASH_SEED;
    let length = 0;
    let found = -1;
    const last = Math.min(from + 4, runs.groups);
    for (let to = from; to < last; to++) {
      const end = runs.groupEnd(to);
      for (let at = runs.groupStart(to); at < end; at++, length++)
        hash = mixed(hash, runs.text.charCodeAt(at));
      if (length > this.#payments.longestCode) break;
      if (length < this.#payments.shortestCode || !this.#payments.mayHave(hash)) continue;
      const meant = (row: number): void => {
        this.#mention(row, GATEWAY, CODE);
      };
      if (this.#payments.byCode(runs.joined(from, to), meant)) found = to;
    }
    return found;
  }

  /** What may be the id of a batch: what begins with a group and ends with it or one of the next. */
  #keepCodes(runs: Runs, from: number): void {
    for (let to = from; to < Math.min(from + 4, runs.groups); to++)
      this.#keep(codeHash(runs.joined(from, to)));
  }

  #keep(hash: number): void {
    if (hash === -1) return;
    this.codeLine.push(this.#line);
    this.codes.push(hash);
  }

  #codePlace(runs: Runs, group: number, field: number): number {
    return this.places.of(field, mixed(3, runs.groupEnd(group) - runs.groupStart(group)));
  }

  /** A number, and what it makes with those right behind it: ids are printed in parts. */
  #numbers(runs: Runs, group: number, field: number): void {
    const run = (runs.groupFrom[group + 1] as number) - 1;
    if (runs.sort[run] !== 2 || runs.groupRuns(group) > 2) return;
    const word = this.#wordBefore(runs, run, group);
    const start = runs.start[run] as number;
    let value = runs.value(run);
    let width = (runs.end[run] as number) - start;
    if (value > 0 && (width > 2 || LABELS.has(word))) this.#number(value, word, field);
    for (let next = group + 1; next < Math.min(group + 4, runs.groups) && value >= 0; next++) {
      const at = runs.groupFrom[next] as number;
      if (runs.sort[at] !== 2 || runs.groupRuns(next) > 1) break;
      const gap = runs.text.slice(runs.groupEnd(next - 1), runs.start[at]);
      if (gap.length !== 1 || !' -./'.includes(gap)) break;
      value = digits(runs.text, runs.start[at] as number, runs.end[at] as number, value);
      width += (runs.end[at] as number) - (runs.start[at] as number);
      if (value > 0 && width > 5) this.#number(value, mixed(word, 2), field);
    }
  }

  /** The word before a number: what it is called. A number that is all of its field has none and needs none. */
  #wordBefore(runs: Runs, run: number, group: number): number {
    if (run > 0 && runs.sort[run - 1] === 1) {
      if (
        runs.groupOf[run - 1] === group ||
        (runs.start[run] as number) - (runs.end[run - 1] as number) < 4
      ) {
        return runs.hash(run - 1);
      }
    }
    return runs.count === 1 ? WHOLE : 0;
  }

  #number(value: number, word: number, field: number): void {
    const place = this.places.of(field, word);
    let how: 0 | 1 | 2 = 0;
    let as = 0;
    const known = this.#payments.byNumber(value, (row, kind) => {
      const now = this.#mention(row, kind, place);
      if (now > how) [how, as] = [now, kind];
    });
    if (known) {
      this.places.resolved(place, how, as);
    } else if (this.#seen++ < MOST_TOKENS) {
      this.#unknown(place, value);
    }
  }

  #unknown(place: number, value: number): void {
    this.places.unresolved(place);
    this.unknownLine.push(this.#line);
    this.unknownPlace.push(place);
    this.unknownValue.push(value);
  }

  /** 2: the payment may be meant and the amounts agree; 1: they do not; 0: it cannot be meant. */
  #mention(row: number, kind: number, place: number): 0 | 1 | 2 {
    const payments = this.#payments;
    const open = payments.open.at(row);
    const lag = this.#day - payments.day.at(row);
    if (payments.currency.at(row) !== this.#currency || lag < FROM || lag > TO) return 0;
    if (payments.sort.at(row) === OF_PAYOUT) return 0;
    if (Math.sign(open) !== Math.sign(this.#open)) {
      if (this.#open < 0 && payments.amount.at(row) >= -this.#open && kind < SUBSCRIPTION) {
        this.reversals.add(this.#line, row, kind, place);
        return 1;
      }
      return 0;
    }
    const equal = open === this.#open;
    if (!equal && kind === SUBSCRIPTION) return 0;
    this.mentions.add(this.#line, row, kind, place);
    return equal ? 2 : 1;
  }
}

/** Letters and digits in turn, such as no word is. */
function looksLikeCode(runs: Runs, group: number): boolean {
  const length = runs.groupEnd(group) - runs.groupStart(group);
  const count = runs.groupRuns(group);
  return length >= 6 && (count > 2 || (count === 2 && runs.sort[runs.groupFrom[group] as number] === 2));
}
