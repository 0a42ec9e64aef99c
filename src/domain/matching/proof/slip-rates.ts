import { STATEMENT_ID } from '../indexes/payments.ts';
import type { MatchTables } from './proof-tables.ts';
import type { SeedPairs } from './seed-pairs.ts';

/** Prior of the share of slipped ids: half an id among 100. Chosen by judgment. */
const PRIOR_SLIPS = 0.5;
const PRIOR_IDS = 100;
/** Number of currencies that a column number can distinguish. */
const CURRENCY_SLOTS = 128;

interface SlipCount {
  ids: number;
  slips: number;
}

/**
 * Share of ids with a slip, per account and currency. A slip is a number in the position of ids that belongs to no
 * payment of the line's amount but resembles the id of such a payment.
 */
export class SlipRates {
  readonly #tables: MatchTables;
  readonly #counts = new Map<number, SlipCount>();

  constructor(
    tables: MatchTables,
    seeds: SeedPairs,
    isSlipOfUnclaimed: (line: number, value: number) => boolean,
  ) {
    this.#tables = tables;
    seeds.forEach((line) => {
      this.#countOf(line).ids++;
    });
    const slipped = new Set<number>();
    const inspect = (line: number, value: number): void => {
      if ((seeds.paymentOfLine[line] as number) >= 0 || slipped.has(line)) return;
      if (value > 0 && isSlipOfUnclaimed(line, value)) slipped.add(line);
    };
    const { mentions, positions, unknownLine, unknownPosition, unknownValue } = tables.lines.evidence;
    for (let at = 0; at < mentions.line.length; at++) {
      const isId = mentions.kind.at(at) <= STATEMENT_ID && positions.isIdPosition(mentions.position.at(at));
      if (isId) inspect(mentions.line.at(at), mentions.value.at(at));
    }
    for (let at = 0; at < unknownLine.length; at++)
      if (positions.isIdPosition(unknownPosition.at(at))) inspect(unknownLine.at(at), unknownValue.at(at));
    for (const line of slipped) {
      const count = this.#countOf(line);
      count.ids++;
      count.slips++;
    }
  }

  /** Estimates the share of slipped ids in a line's column, from above. */
  estimate(line: number): number {
    const { ids, slips } = this.#countOf(line);
    return (slips + PRIOR_SLIPS) / (ids + PRIOR_IDS);
  }

  #countOf(line: number): SlipCount {
    const { account, currency } = this.#tables.lines;
    const column = account.at(line) * CURRENCY_SLOTS + currency.at(line);
    let count = this.#counts.get(column);
    if (count === undefined) {
      count = { ids: 0, slips: 0 };
      this.#counts.set(column, count);
    }
    return count;
  }
}
