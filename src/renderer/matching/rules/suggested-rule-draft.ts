import { openMatchingTab } from '../shared/matching-route.ts';
import { createRuleDraftFromLine, type MatchRuleDraft } from './rule-draft.ts';

/** Route id that stands for a new, unsaved rule. */
export const NEW_RULE_ID = 0;

let suggested: MatchRuleDraft | null = null;

/** Opens the form of a new match rule, filled in so that the rule applies to lines like this one. */
export function openRuleForLine(line: Parameters<typeof createRuleDraftFromLine>[0]): void {
  suggested = createRuleDraftFromLine(line);
  openMatchingTab('rules', NEW_RULE_ID);
}

/** Returns the draft for the new rule and clears it. Returns null if there is none. */
export function takeSuggestedRuleDraft(): MatchRuleDraft | null {
  const draft = suggested;
  suggested = null;
  return draft;
}
