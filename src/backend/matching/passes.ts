import { matchOriginLabel } from '../../domain/labels/matches.ts';
import { matchPassIds } from '../../domain/matching/index.ts';

/** Version of the matching passes. Distinguishes the matches of one version from those of another. */
export const PASSES_VERSION = 2;

/** The passes in their order, with their labels. */
export const passes = matchPassIds.map((rule) => ({ rule, ...matchOriginLabel(rule) }));
