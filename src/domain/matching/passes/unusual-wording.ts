import { isLastRowOfStep, type WorkSteps } from '../../work-steps/work-steps.ts';
import { type MatchState, ROW_EXPLAINED } from '../state/match-state.ts';

/** Minimum number of lines without a compatible payment that make a shared word suspicious. Chosen by judgment. */
const MIN_UNPAYABLE_LINES = 2;
/**
 * Minimum share of lines without a compatible payment among the lines with a suspicious word. The limit used depends
 * on the overall share. Chosen by judgment.
 */
const MIN_UNPAYABLE_SHARE = 0.25;
const MAX_UNPAYABLE_SHARE = 0.6;
/** Minimum number of matched lines for words that occur in none of them to be unfamiliar. Chosen by judgment. */
const MIN_EXPLAINED_LINES = 50;
/** Maximum share of the other lines that contain an unfamiliar word. Chosen by judgment. */
const MAX_UNFAMILIAR_SHARE = 0.05;

/** Number of unmatched lines with a feature, and how many of them have no compatible payment. */
type FeatureCount = { all: number; unpayable: number };

/** Finds wording that is unusual for payments. Features are word hashes and positions of unknown numbers. */
export class UnusualWordingDetector {
  readonly #state: MatchState;
  readonly #unknownPositions: ReadonlyMap<number, readonly number[]>;
  /** Features that occur mostly in lines without a compatible payment. */
  readonly #suspicious = new Set<number>();
  /** Features that no matched line and few other lines have. */
  readonly #unfamiliar = new Set<number>();

  static *find(
    state: MatchState,
    hasNoPayment: (line: number) => boolean,
  ): WorkSteps<UnusualWordingDetector> {
    const wording = new UnusualWordingDetector(state);
    yield;
    yield* wording.#classifyFeatures(hasNoPayment);
    return wording;
  }

  private constructor(state: MatchState) {
    this.#state = state;
    this.#unknownPositions = findUnknownNumberPositions(state);
  }

  isSuspicious(line: number): boolean {
    return this.#hasFeature(line, this.#suspicious);
  }

  isUnfamiliar(line: number): boolean {
    return this.#hasFeature(line, this.#unfamiliar);
  }

  #hasFeature(line: number, features: ReadonlySet<number>): boolean {
    for (const feature of this.#listFeatures(line)) if (features.has(feature)) return true;
    return false;
  }

  *#listFeatures(line: number): Iterable<number> {
    const { wordsFrom, wordHashes } = this.#state.lines;
    for (let at = wordsFrom.at(line); at < wordsFrom.at(line + 1); at++) yield wordHashes.at(at);
    for (const position of this.#unknownPositions.get(line) ?? []) yield toPositionFeature(position);
  }

  *#classifyFeatures(hasNoPayment: (line: number) => boolean): WorkSteps {
    const { lines, lineState } = this.#state;
    const counts = new Map<number, FeatureCount>();
    const familiar = this.#explainedNumberFeatures();
    let [explained, unexplained, unpayable] = [0, 0, 0];
    for (let line = 0; line < lines.length; line++) {
      if (isLastRowOfStep(line)) yield;
      if (!lines.canBePayment(line)) continue;
      if (lineState[line] === ROW_EXPLAINED) {
        explained++;
        this.#addWords(line, familiar);
        continue;
      }
      const increment = hasNoPayment(line) ? 1 : 0;
      unexplained++;
      unpayable += increment;
      for (const feature of this.#listFeatures(line)) countFeature(counts, feature, increment);
    }
    this.#addSuspicious(counts, unpayable / Math.max(1, unexplained));
    if (explained >= MIN_EXPLAINED_LINES)
      this.#addUnfamiliar(counts, familiar, unexplained * MAX_UNFAMILIAR_SHARE);
  }

  #addUnfamiliar(counts: ReadonlyMap<number, FeatureCount>, familiar: ReadonlySet<number>, maxCount: number) {
    for (const [feature, { all }] of counts)
      if (all <= maxCount && !familiar.has(feature)) this.#unfamiliar.add(feature);
  }

  #addSuspicious(counts: ReadonlyMap<number, FeatureCount>, unpayableShare: number): void {
    const usualShare = Math.max(MIN_UNPAYABLE_SHARE, 5 * unpayableShare);
    const minShare = Math.min(usualShare, MAX_UNPAYABLE_SHARE);
    for (const [feature, { all, unpayable }] of counts)
      if (unpayable >= MIN_UNPAYABLE_LINES && unpayable >= all * minShare) this.#suspicious.add(feature);
  }

  #addWords(line: number, features: Set<number>): void {
    const { wordsFrom, wordHashes } = this.#state.lines;
    for (let at = wordsFrom.at(line); at < wordsFrom.at(line + 1); at++) features.add(wordHashes.at(at));
  }

  #explainedNumberFeatures(): Set<number> {
    const { lines, lineState } = this.#state;
    const { unknownLine, unknownPosition } = lines.evidence;
    const features = new Set<number>();
    for (let at = 0; at < unknownLine.length; at++)
      if (lineState[unknownLine.at(at)] === ROW_EXPLAINED)
        features.add(toPositionFeature(unknownPosition.at(at)));
    return features;
  }
}

function countFeature(counts: Map<number, FeatureCount>, feature: number, increment: number): void {
  const count = counts.get(feature);
  if (count === undefined) {
    counts.set(feature, { all: 1, unpayable: increment });
  } else {
    count.all++;
    count.unpayable += increment;
  }
}

/** Converts the position of an unknown number to a feature. Adding one half distinguishes it from word hashes. */
const toPositionFeature = (position: number): number => position + 0.5;

function findUnknownNumberPositions({ lines, lineState }: MatchState) {
  const { unknownLine, unknownPosition } = lines.evidence;
  const positions = new Map<number, number[]>();
  for (let at = 0; at < unknownLine.length; at++) {
    const line = unknownLine.at(at);
    if (lineState[line] === ROW_EXPLAINED) continue;
    const knownPositions = positions.get(line);
    if (knownPositions === undefined) positions.set(line, [unknownPosition.at(at)]);
    else knownPositions.push(unknownPosition.at(at));
  }
  return positions;
}
