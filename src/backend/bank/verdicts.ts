import type { HeldLine, LineKey } from '../store/bankLine.ts';
import { keyText } from './identity.ts';

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
 * One case is different: a day split over two files. Lines without an id whose words say little (“card payment 19.00”) come up
 * in both parts. What tells is the lines of that day that are like no other: where both parts have such lines and share
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
    if (line.gone || line.words === 0) continue;
    heldWords.set(line.words, (heldWords.get(line.words) ?? 0) + 1);
    const day = heldDays.get(line.booked_on);
    if (day === undefined) heldDays.set(line.booked_on, [line.words]);
    else day.push(line.words);
  }

  const continued = continuedDays(keys, isSkipped, heldWords, heldDays);
  const words = countWords(keys, isSkipped);
  const verdicts: Verdicts = {
    isNew: new Uint8Array(keys.length),
    occurrence: new Int32Array(keys.length),
    isBack: new Uint8Array(keys.length),
    held: new Float64Array(keys.length),
  };
  const used = new Map<string, number>();
  keys.forEach((key, at) => {
    if (isSkipped(at)) return;
    const text = keyText(key);
    const known = twins.get(text) ?? { standing: [], gone: [], last: 0 };
    twins.set(text, known);
    const isTelling = key.words === 0 || words.get(key.words) === 1;
    const mayBeHeld = !isWanted(at) && (isTelling || !continued.has(key.booked_on));
    const next = used.get(text) ?? 0;
    if (mayBeHeld && next < known.standing.length) {
      used.set(text, next + 1);
      verdicts.held[at] = known.standing[next]!;
      return;
    }
    const back = known.gone.shift();
    verdicts.isNew[at] = 1;
    verdicts.isBack[at] = back === undefined ? 0 : 1;
    verdicts.occurrence[at] = back ?? ++known.last;
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

/** Days of which the file holds another part than what is held. */
function continuedDays(
  keys: readonly LineKey[],
  isSkipped: (at: number) => boolean,
  heldWords: ReadonlyMap<number, number>,
  heldDays: ReadonlyMap<string, readonly number[]>,
): Set<string> {
  const words = countWords(keys, isSkipped);
  const days = new Map<string, { telling: number; shared: number }>();
  keys.forEach((key, at) => {
    if (isSkipped(at) || words.get(key.words) !== 1) return;
    const there = heldDays.get(key.booked_on);
    if (there === undefined) return;
    const day = days.get(key.booked_on) ?? { telling: 0, shared: 0 };
    days.set(key.booked_on, day);
    day.telling++;
    if (heldWords.has(key.words)) day.shared++;
  });
  const tellingOf = (day: string) => (heldDays.get(day) ?? []).some((each) => heldWords.get(each) === 1);
  return new Set(
    [...days].flatMap(([day, { telling, shared }]) =>
      telling > 0 && shared === 0 && tellingOf(day) ? [day] : [],
    ),
  );
}
