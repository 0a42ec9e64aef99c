import { toDayNumber } from '../../../src/domain/ledger/index.ts';
import type { MatchLine, MatchPayment } from '../../../src/domain/matching/index.ts';
import type { World } from '../model/world.ts';
import { foldName } from '../text/name-forms.ts';
import { addCombinedOptions } from './combined-options.ts';
import { costOfNumbers, IdReader, type QuotedIds } from './id-evidence.ts';
import { compareNames, type NameEvidence, NameReader, type StatedName } from './name-evidence.ts';
import { COST, EXTRA_DAYS, MAX_ERRORS } from './rules.ts';

/** One answer for a line: the payments it pays, and the errors that the answer must excuse. */
export interface Option {
  /** Positions of the payments. */
  readonly payments: readonly number[];
  readonly cost: number;
  /** `equal` if the amounts are equal; otherwise a match cannot be confirmed. */
  readonly kind: 'equal' | 'short' | 'part';
  /** True if a gateway id, or an exact id and a complete name, support the answer, and nothing contradicts it. */
  readonly proved: boolean;
}

export interface LineOptions {
  readonly line: MatchLine;
  readonly options: readonly Option[];
  /** Cost of the answer that the line is a stranger. */
  readonly strangerCost: number;
}

/** Evidence that connects a line and one payment. */
export interface PairEvidence {
  readonly id: 'exact' | 'customer' | 'near' | 'none';
  readonly name: NameEvidence;
  readonly lag: number;
}

/** Facts about a line that are the same for all payments. */
export interface LineFacts {
  readonly line: MatchLine;
  readonly day: number;
  readonly quoted: QuotedIds;
  readonly stated: StatedName;
}

/** Lists the possible answers for each line by the oracle's rules. */
export class OptionFinder {
  readonly world: World;
  readonly payments: readonly MatchPayment[];
  readonly #days: readonly number[];
  readonly #names: readonly (readonly string[])[][];
  readonly #byAmount = new Map<string, number[]>();
  readonly #byName = new Map<string, number[]>();
  readonly #ids: IdReader;
  readonly #nameReader: NameReader;

  constructor(world: World) {
    this.world = world;
    this.payments = world.payments;
    this.#ids = new IdReader(world.payments);
    this.#nameReader = new NameReader(world);
    this.#days = world.payments.map(({ paid_on }) => toDayNumber(paid_on) ?? 0);
    this.#names = world.payments.map(({ names }) => names.map(foldName));
    for (const [at, payment] of world.payments.entries()) {
      push(this.#byAmount, `${payment.currency} ${payment.amount_in_cents}`, at);
      for (const name of this.#names[at] ?? []) push(this.#byName, [...name].sort().join(' '), at);
    }
  }

  find(line: MatchLine): LineOptions {
    const facts: LineFacts = {
      line,
      day: toDayNumber(line.booked_on) ?? 0,
      quoted: this.#ids.read(line),
      stated: this.#nameReader.read(line),
    };
    const named = this.#byName.get([...facts.stated.words].sort().join(' ')) ?? [];
    const { exact, near, customer } = facts.quoted;
    const candidates = new Set([...exact, ...near, ...customer, ...named, ...this.#listEqualAmounts(line)]);
    const options: Option[] = [];
    for (const at of candidates) {
      const option = this.#compare(facts, at);
      if (option !== null) options.push(option);
    }
    addCombinedOptions(this, facts, {
      candidates: new Set([...exact, ...near, ...customer, ...named]),
      options,
    });
    const gateway = options.filter(({ payments: [at = -1] }) => isGatewayMatch(line, this.payments[at]));
    // A processor's report contains no slips, so its id excludes all other payments.
    const possible = gateway.length > 0 ? gateway : options.filter(({ cost }) => cost <= MAX_ERRORS);
    return { line, options: possible, strangerCost: this.#costOfStranger(facts, possible) };
  }

  relate({ quoted, stated, day }: LineFacts, at: number): PairEvidence {
    const id = quoted.exact.has(at)
      ? 'exact'
      : quoted.customer.has(at)
        ? 'customer'
        : quoted.near.has(at)
          ? 'near'
          : 'none';
    const results = (this.#names[at] ?? []).map((name) => compareNames(stated, name));
    const name = (['full', 'partial', 'absent'] as const).find((each) => results.includes(each));
    const fallback: NameEvidence = results.length === 0 ? 'absent' : 'contradicts';
    return { id, name: name ?? fallback, lag: day - (this.#days[at] ?? 0) };
  }

  #listEqualAmounts({ currency, amount_in_cents }: MatchLine): readonly number[] {
    return this.#byAmount.get(`${currency} ${amount_in_cents}`) ?? [];
  }

  #compare(facts: LineFacts, at: number): Option | null {
    const payment = this.payments[at] as MatchPayment;
    const kind = this.compareAmounts(facts.line, payment.currency, payment.amount_in_cents);
    if (kind === null) return null;
    if (kind === 'equal' && isGatewayMatch(facts.line, payment)) {
      return { payments: [at], cost: 0, kind, proved: true };
    }
    const evidence = this.relate(facts, at);
    const identified = evidence.id === 'exact' || evidence.id === 'customer' || evidence.name === 'full';
    const possible = kind === 'equal' || identified || (kind === 'short' && evidence.name === 'partial');
    const errors = possible ? this.#costOfEvidence(evidence, costOfNumbers(facts.quoted, [at])) : null;
    if (errors === null) return null;
    const cost = errors + (kind === 'equal' ? 0 : COST.otherAmount);
    const proved = cost === 0 && evidence.id === 'exact' && evidence.name === 'full';
    return { payments: [at], cost, kind, proved };
  }

  compareAmounts(line: MatchLine, currency: string, amount: number): Option['kind'] | null {
    const own = line.amount_in_cents;
    if (line.currency !== currency || Math.sign(own) !== Math.sign(amount)) return null;
    if (own === amount) return 'equal';
    if (own < 0 || own > amount) return null;
    return amount - own <= this.world.facts.max_fee_in_cents ? 'short' : 'part';
  }

  /** Adds up the errors of name, date and numbers. Returns null if name or date exclude the payment. */
  #costOfEvidence(evidence: PairEvidence, numbers: number): number | null {
    const lag = this.#costOfLag(evidence);
    const name = costOfName(evidence);
    return lag === null || name === null ? null : lag + name + numbers;
  }

  #costOfLag({ lag, id, name }: PairEvidence): number | null {
    const { lag_from_days: from, lag_to_days: to } = this.world.facts;
    if (lag >= from && lag <= to) return 0;
    const named = name === 'full' || id === 'customer';
    const extra =
      id === 'exact' ? EXTRA_DAYS.exactId : named ? to + EXTRA_DAYS.anonymous : EXTRA_DAYS.anonymous;
    return lag >= from - EXTRA_DAYS.before && lag <= to + extra ? COST.unusualLag : null;
  }

  #costOfStranger({ line, quoted, stated }: LineFacts, options: readonly Option[]): number {
    if (options.length === 0) return 0;
    if (options.some(({ proved }) => proved)) return COST.strangerWithId + COST.strangerWithName;
    const evidence = options.flatMap(({ payments }) =>
      payments.map((at) => this.relate({ line, quoted, stated, day: 0 }, at)),
    );
    const withId = evidence.some(({ id }) => id === 'exact' || id === 'customer') ? COST.strangerWithId : 0;
    if (evidence.some(({ name }) => name === 'full')) return withId + COST.strangerWithName;
    if (evidence.some(({ name }) => name === 'partial')) return withId + COST.strangerWithPartialName;
    const anonymous = withId === 0 && stated.words.length === 0;
    const rare = this.#listEqualAmounts(line).length === 1;
    return withId + (anonymous && rare ? COST.strangerWithRareAmount : 0);
  }
}

function costOfName({ id, name }: PairEvidence): number | null {
  if (name === 'contradicts') return id === 'exact' ? COST.otherName : null;
  return name === 'partial' && id !== 'exact' ? COST.partialName : 0;
}

const isGatewayMatch = (line: MatchLine, payment: MatchPayment | undefined): boolean =>
  line.gateway_transaction_id !== null && line.gateway_transaction_id === payment?.gateway_transaction_id;

function push<K>(index: Map<K, number[]>, key: K, at: number): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [at]);
  else list.push(at);
}
