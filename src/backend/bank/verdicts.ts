import type { HeldLine, LineKey } from '../store/bank/bankLine.ts';
import { hasNumber, keyText } from './identity.ts';

/** What becomes of each line of a file, in the order of the lines. */
export interface Verdicts {
  /** 1 where it is new. */
  readonly isNew: Uint8Array;
  /** The number among lines of its key, of a new one. */
  readonly occurrence: Int32Array;
  /** 1 where a line of a removed import comes back. */
  readonly isBack: Uint8Array;
  /** The line that is held already, of a duplicate; 0 of a new one. */
  readonly held: Float64Array;
}

/** Held lines of one key. */
interface Twins {
  /** Numbers of the lines that stand, by occurrence. */
  standing: number[];
  /** Occurrences of those that went with their import. */
  gone: number[];
  last: number;
}

/**
 * Tells the new lines of a file from those held. Of lines alike in account, bank id, amount, currency and day (and words, where the
 * bank gives no id) as many are duplicates as are held: the first of three twins that a file holds while two are held is
 * not new, the third is.
 *
 * One case is different: a day split over two files. Lines without an id whose words say little (“card payment”, a name) come up in
 * both parts. What tells are the lines of that day with a number like no other’s: where both parts have such lines and share
 * none of them, the file goes on where the other ended, and its twins are new.
 *
 * `wanted`: rows that are new because a person said so. `skipped`: lines that are not of this account.
 */
export function judge(
  keys: readonly LineKey[],
  held: Iterable<HeldLine>,
  isWanted: (at: number) => boolean,
  isSkipped: (at: number) => boolean,
): Verdicts {
  const twins = new Map<string, Twins>();
  const heldWords = new Map<number, number>();
  const heldDays = new Map<string, number[]>();
  for (const line of held) {
    const text = keyText(line);
    const known = twins.get(text) ?? { standing: [], gone: [], last: 0 };
    twins.set(text, known);
    known.last = line.occurrence;
    (line.gone ? known.gone : known.standing).push(line.gone ? line.occurrence : line.id);
    if (line.gone || !hasNumber(line.words)) continue;
    heldWords.set(line.words, (heldWords.get(line.words) ?? 0) + 1);
    const day = heldDays.get(line.booked_on);
    if (day === undefined) heldDays.set(line.booked_on, [line.words]);
    else day.push(line.words);
  }
  const toldDays = new Set(
    [...heldDays].flatMap(([day, all]) => (all.some((words) => heldWords.get(words) === 1) ? [day] : [])),
  );
  const words = countWords(keys, isSkipped);
  const isTelling = ({ words: own }: LineKey) => own === 0 || (hasNumber(own) && words.get(own) === 1);
  const isHeld = (key: LineKey) => (twins.get(keyText(key))?.standing.length ?? 0) > 0;
  const telling = keys.filter((key, at) => key.words !== 0 && isTelling(key) && !isSkipped(at));
  const continued = new Set(telling.map((key) => key.booked_on).filter((day) => toldDays.has(day)));
  for (const key of telling) if (isHeld(key)) continued.delete(key.booked_on);

  const verdicts: Verdicts = {
    isNew: new Uint8Array(keys.length),
    occurrence: new Int32Array(keys.length),
    isBack: new Uint8Array(keys.length),
    held: new Float64Array(keys.length),
  };
  /** How many of a key were found to be held, and the last number of one, where no line of it is held. */
  const used = new Map<string, number>();
  const lastNew = new Map<string, number>();
  keys.forEach((key, at) => {
    if (isSkipped(at)) return;
    const text = keyText(key);
    const known = twins.get(text);
    const mayBeHeld = !isWanted(at) && (isTelling(key) || !continued.has(key.booked_on));
    const next = used.get(text) ?? 0;
    const held = mayBeHeld ? known?.standing[next] : undefined;
    if (held !== undefined) {
      used.set(text, next + 1);
      verdicts.held[at] = held;
      return;
    }
    const back = known?.gone.shift();
    verdicts.isNew[at] = 1;
    verdicts.isBack[at] = back === undefined ? 0 : 1;
    const last = (known?.last ?? lastNew.get(text) ?? 0) + 1;
    verdicts.occurrence[at] = back ?? last;
    if (back !== undefined) return;
    if (known === undefined) lastNew.set(text, last);
    else known.last = last;
  });
  return verdicts;
}

/** How often each hash of words occurs in the file. */
function countWords(keys: readonly LineKey[], isSkipped: (at: number) => boolean): Map<number, number> {
  const words = new Map<number, number>();
  keys.forEach((key, at) => {
    if (key.words !== 0 && !isSkipped(at)) words.set(key.words, (words.get(key.words) ?? 0) + 1);
  });
  return words;
}
