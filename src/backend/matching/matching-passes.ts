import { getMatchOriginLabel } from '../../domain/labels/matches.ts';
import { matchPassIds } from '../../domain/matching/index.ts';

/** Version of the matching passes. Stored with each match, so that older matches can be distinguished. */
export const MATCHING_PASSES_VERSION = 3;

/** The matching passes with their labels, in the order in which they run. */
export const matchingPasses = matchPassIds.map((rule) => ({ rule, ...getMatchOriginLabel(rule) }));
