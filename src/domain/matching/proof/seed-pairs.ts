import type { IdMentions } from '../indexes/id-evidence.ts';
import { STATEMENT_ID } from '../indexes/payments.ts';
import type { MatchTables } from './proof-tables.ts';

const NONE = -1;
const SEVERAL = -2;

/**
 * Pairs of a line and a payment of equal amount whose id the line quotes, and that quote or are quoted by nothing else.
 * Only used to learn from, before any pass runs. A few wrong pairs among them do no harm.
 */
export class SeedPairs {
  /** Per line: the only payment of equal amount that it names; negative if there is none or more than one. */
  readonly paymentOfLine: Int32Array;
  /** Per payment: 1 if a line of equal amount names it. */
  readonly isClaimed: Uint8Array;
  readonly #lineOfPayment: Int32Array;

  constructor({ lines, payments }: MatchTables) {
    const { mentions, positions } = lines.evidence;
    this.paymentOfLine = new Int32Array(lines.length).fill(NONE);
    this.isClaimed = new Uint8Array(payments.length);
    this.#lineOfPayment = new Int32Array(payments.length).fill(NONE);
    for (let at = 0; at < mentions.line.length; at++) {
      const [line, payment, kind] = [mentions.line.at(at), mentions.payment.at(at), mentions.kind.at(at)];
      if (kind > STATEMENT_ID || lines.openCents.at(line) !== payments.openCents.at(payment)) continue;
      if (!positions.containsIds(mentions.position.at(at), kind)) continue;
      this.isClaimed[payment] = 1;
      setOnly(this.paymentOfLine, line, payment);
      setOnly(this.#lineOfPayment, payment, line);
    }
  }

  /** Calls `onPair` for each pair. */
  forEach(onPair: (line: number, payment: number) => void): void {
    for (const [line, payment] of this.paymentOfLine.entries())
      if (payment >= 0 && this.#lineOfPayment[payment] === line) onPair(line, payment);
  }
}

function setOnly(column: Int32Array, at: number, value: number): void {
  const current = column[at] as number;
  if (current !== value) column[at] = current === NONE ? value : SEVERAL;
}

/** First mention of each line. The mentions are in the order of the lines. Has one more entry than there are lines. */
export function indexMentions(mentions: IdMentions, lineCount: number): Int32Array {
  const from = new Int32Array(lineCount + 1);
  for (let at = 0; at < mentions.line.length; at++) {
    const next = mentions.line.at(at) + 1;
    from[next] = (from[next] as number) + 1;
  }
  for (let line = 0; line < lineCount; line++)
    from[line + 1] = (from[line + 1] as number) + (from[line] as number);
  return from;
}
