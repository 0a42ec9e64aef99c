import type {
  BackendClient,
  MatchGroup,
  MatchGroupFilter,
  MatchGroupStatus,
} from '../../../contract/index.ts';
import { namesPayment } from '../../../domain/matching/model/names-payment.ts';
import { showNotice, type UndoAction } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';

const text = texts.matching;

export type MatchDecision = 'confirm' | 'decline' | 'undo';

/** For each decision, the match statuses it applies to, the resulting status, and its messages. */
export const matchDecisions: Record<
  MatchDecision,
  {
    readonly appliesTo: readonly MatchGroupStatus[];
    readonly result: MatchGroupStatus;
    readonly notApplicable: string;
    readonly notice: (count: number) => string;
  }
> = {
  confirm: {
    appliesTo: ['suggested', 'ambiguous'],
    result: 'confirmed',
    notApplicable: text.noneToConfirm,
    notice: text.confirmed,
  },
  decline: {
    appliesTo: ['suggested', 'ambiguous'],
    result: 'declined',
    notApplicable: text.noneToDecline,
    notice: text.declined,
  },
  undo: {
    appliesTo: ['confirmed', 'declined'],
    result: 'undone',
    notApplicable: text.noneToUndo,
    notice: text.undone,
  },
};

/** Returns the reason why a match cannot be confirmed; null if it can be. */
export function findConfirmationBlocker(group: MatchGroup): string | null {
  if (!matchDecisions.confirm.appliesTo.includes(group.status)) return text.noneToConfirm;
  if (!namesPayment(group)) return text.noPayment;
  return group.difference_in_cents === 0 ? null : text.notBalanced;
}

/** Returns the action that undoes the matches and shows how many were undone, by default the number of ids. */
export const createUndoMatchesAction =
  (client: BackendClient, site: string, ids: number[], count = ids.length): UndoAction =>
  async () => {
    await client.match.undo({ site, ids, reason: text.undoReason });
    showNotice(text.undone(count), 'good');
  };

/** Applies a decision to matches and shows a notice that offers to undo it. Rethrows backend errors. */
export async function applyMatchDecision(
  client: BackendClient,
  site: string,
  decision: MatchDecision,
  groups: readonly MatchGroup[],
): Promise<void> {
  const { appliesTo, notApplicable, notice } = matchDecisions[decision];
  const ids = groups.filter(({ status }) => appliesTo.includes(status)).map(({ id }) => id);
  if (ids.length === 0) {
    showNotice(notApplicable);
    return;
  }
  if (decision === 'undo') await client.match.undo({ site, ids, reason: text.undo });
  else await client.match[decision]({ site, ids });
  showNotice(
    notice(ids.length),
    'good',
    decision === 'undo' ? undefined : createUndoMatchesAction(client, site, ids),
  );
}

/** Shows a notice about manual matches. Undoing them also undoes the declines that were made for them. */
export function showManualMatchNotice(
  client: BackendClient,
  site: string,
  changed: readonly MatchGroup[],
): void {
  const ids = changed.map(({ id }) => id);
  const matched = changed.filter(({ status }) => status === 'confirmed').length;
  showNotice(text.manuallyMatched(matched), 'good', createUndoMatchesAction(client, site, ids, matched));
}

/** Maximum number of matches for which an undo is offered. Chosen by judgment. */
const MAX_UNDO_IDS = 5000;

/** Confirms all suggestions of a match rule and offers to undo the confirmations. */
export async function confirmAllMatchesOfRule(
  client: BackendClient,
  site: string,
  rule: string,
  filter: MatchGroupFilter,
): Promise<void> {
  const suggested = { ...filter, rule: [rule], status: ['suggested' as const] };
  const before = await listMatchIds(client, site, suggested);
  const { confirmed, left } = await client.match.acceptRule({ site, rule, filter });
  const remaining = before && new Set(await listMatchIds(client, site, suggested));
  const ids = before?.filter((id) => !remaining?.has(id)) ?? [];
  const undo = ids.length > 0 ? createUndoMatchesAction(client, site, ids) : undefined;
  showNotice(text.confirmedOfRule(confirmed, left), 'good', undo);
}

/** Returns the ids of the matches that meet the filter, or null if there are more than `MAX_UNDO_IDS`. */
async function listMatchIds(
  client: BackendClient,
  site: string,
  filter: MatchGroupFilter,
): Promise<number[] | null> {
  const ids: number[] = [];
  let after: string | undefined;
  do {
    const page = await client.match.list({ site, filter, members: 0, limit: 500, ...(after && { after }) });
    ids.push(...page.rows.map(({ id }) => id));
    after = page.next ?? undefined;
  } while (after !== undefined && ids.length <= MAX_UNDO_IDS);
  return ids.length > MAX_UNDO_IDS ? null : ids;
}
