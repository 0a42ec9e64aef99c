import type { IdEvidence } from '../indexes/id-evidence.ts';
import { type PaymentTable, STATEMENT_ID } from '../indexes/payments.ts';
import { isSlip } from '../proof/slips.ts';

/** Facts from a line's texts that a matching payment must agree with. */
export interface LineHints {
  /** Per line: 1 if it contains the id of a payment or statement. */
  readonly namesOtherId: Uint8Array;
  /** Per line: 1 if it contains the complete name of a customer. */
  readonly namesOtherCustomer: Uint8Array;
  /** Per line: numbers in reference positions that belong to no known record. */
  readonly unknownReferences: ReadonlyMap<number, readonly number[]>;
}

export type IdHints = Pick<LineHints, 'namesOtherId' | 'unknownReferences'>;

/** Objection to a line outside its account's usual date range. */
export const LATE_MONEY = 'the dates are further apart than usual';
export const UNKNOWN_REFERENCE_REMARK = 'the line contains a reference that belongs to no payment';

/** Collects the hints that ids in a line's text give about its payment. */
export function collectIdHints(evidence: IdEvidence, lineCount: number): IdHints {
  const { mentions, positions, unknownLine, unknownPosition, unknownValue } = evidence;
  const namesOtherId = new Uint8Array(lineCount);
  for (let at = 0; at < mentions.line.length; at++) {
    const idKind = mentions.kind.at(at);
    if (idKind <= STATEMENT_ID && positions.containsIds(mentions.position.at(at), idKind))
      namesOtherId[mentions.line.at(at)] = 1;
  }
  const unknownReferences = new Map<number, number[]>();
  for (let at = 0; at < unknownLine.length; at++) {
    if (!positions.containsReferences(unknownPosition.at(at))) continue;
    const line = unknownLine.at(at);
    const numbers = unknownReferences.get(line);
    if (numbers === undefined) unknownReferences.set(line, [unknownValue.at(at)]);
    else numbers.push(unknownValue.at(at));
  }
  return { namesOtherId, unknownReferences };
}

/** Returns true if a line has unknown references and none of them resembles an id of the payment. */
export function hasForeignReference(
  payments: PaymentTable,
  unknownReferences: readonly number[] | undefined,
  payment: number,
): boolean {
  if (unknownReferences === undefined) return false;
  const ids = [payments.paymentId, payments.statementId, payments.id].map((column) => column.at(payment));
  return !unknownReferences.some((number) =>
    ids.some((id) => id > 0 && (isSlip(number, id) || isLikelyTypo(String(number), String(id)))),
  );
}

/** Returns true if a text is an id with one wrong digit, two swapped digits or missing digits at an end. */
export function isLikelyTypo(text: string, id: string): boolean {
  if (text.length >= 5 && text.length >= id.length - 3 && (id.startsWith(text) || id.endsWith(text)))
    return true;
  if (Math.abs(text.length - id.length) > 1 || id.length < 5) return false;
  const [wrong, right] = differingParts(text, id);
  return (
    Math.max(wrong.length, right.length) <= 1 ||
    (wrong.length === 2 && right.length === 2 && wrong[0] === right[1] && wrong[1] === right[0])
  );
}

/** Returns the parts of two texts between their common beginning and their common end. */
function differingParts(a: string, b: string): [string, string] {
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  let [endA, endB] = [a.length, b.length];
  while (endA > from && endB > from && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  return [a.slice(from, endA), b.slice(from, endB)];
}
