import { getMatchOriginLabel } from '../../domain/labels/matches.ts';
import { matchPassIds } from '../../domain/matching/index.ts';

/** Version of the matching passes. Stored with each match, to recognize matches of older versions. */
export const MATCHING_PASSES_VERSION = 3;

/** The matching passes with their labels, in execution order. */
export const matchingPasses = matchPassIds.map((rule) => ({ rule, ...getMatchOriginLabel(rule) }));
