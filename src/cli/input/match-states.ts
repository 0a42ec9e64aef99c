import { matchStateLabels } from '../../domain/labels/bank.ts';

export type MatchState = keyof typeof matchStateLabels;

/** Allowed values of the option that filters bank lines and payments by match state. */
export const matchStates = Object.keys(matchStateLabels) as MatchState[];

export const matchStateHelp =
  'only these states, comma-separated: open, ambiguous, suggested, part (partly matched), matched, ignored (out of scope)';
