import type { CheckRule } from '../../contract/index.ts';
import { checkRules, type RuleDefinition } from '../../domain/checks/index.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { readCheckState } from '../store/checks/check-state.ts';
import { countExceptions } from '../store/checks/exception-figures.ts';
import { isRecordKindStored } from '../store/checks/stored-record-kinds.ts';
import { listSwitchedOffRules } from '../store/checks/switched-off-rule.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Returns all rules with their status on a site. */
export function listCheckRules({ cache, books }: { cache: ReadableDb; books: ReadableDb }): CheckRule[] {
  const off = new Map(listSwitchedOffRules(books).map((each) => [each.rule, each]));
  const figures = countExceptions(books, null);
  return checkRules.map((rule) => {
    const { id, title, severity, scope, explanation, remedy = null } = rule;
    const of = figures.filter((each) => each.rule === id);
    const count = (status: 'open' | 'accepted') =>
      of.reduce((sum, each) => (each.status === status ? sum + each.count : sum), 0);
    const switched = off.get(id);
    return {
      rule: id,
      title,
      severity,
      scope,
      explanation,
      remedy,
      enabled: switched === undefined,
      off:
        switched === undefined
          ? null
          : { at: formatTimestamp(switched.at), user: switched.user, reason: switched.reason },
      idle: findIdleReason(cache, rule),
      open: count('open'),
      accepted: count('accepted'),
    };
  });
}

/** Returns the reason why a rule has nothing to check, or null if it has records to check. */
function findIdleReason(cache: ReadableDb, { id, scope }: RuleDefinition): string | null {
  if (id === 'pdf-agrees' && !isRecordKindStored(cache, 'pdf')) return 'No statement PDF is stored.';
  if (id === 'webhook-signature') return 'The signing key of the webhooks is not stored.';
  if (scope === 'webhook' || id === 'payment-without-webhook') {
    if (!isRecordKindStored(cache, 'webhook')) return 'No webhooks are stored.';
    if (id.endsWith('-without-webhook') && readCheckState(cache).log_from === null) {
      return 'The webhook log has not been read completely.';
    }
    return null;
  }
  if (scope === 'allocation') {
    return isRecordKindStored(cache, 'allocation') ? null : 'No allocations are stored.';
  }
  return isRecordKindStored(cache, 'statement') ? null : 'No statements are stored.';
}
