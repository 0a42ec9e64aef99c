import type { Client, GroupFilter, GroupStatus, MatchGroup } from '../../contract/index.ts';
import { notify, type Undo } from '../view/view.ts';
import { words } from '../words/words.ts';

const text = words.matching;

export type Decision = 'confirm' | 'decline' | 'undo';

/** Which groups a decision is for, and what to say where none is. */
export const decisions: Record<
  Decision,
  {
    readonly of: readonly GroupStatus[];
    readonly becomes: GroupStatus;
    readonly none: string;
    readonly done: (count: number) => string;
  }
> = {
  confirm: {
    of: ['suggested', 'ambiguous'],
    becomes: 'confirmed',
    none: text.noneToConfirm,
    done: text.confirmed,
  },
  decline: {
    of: ['suggested', 'ambiguous'],
    becomes: 'declined',
    none: text.noneToDecline,
    done: text.declined,
  },
  undo: { of: ['confirmed', 'declined'], becomes: 'undone', none: text.noneToUndo, done: text.undone },
};

/** Decides about groups, says so, and offers to take it back. Throws what the backend throws. */
export async function decide(
  client: Client,
  site: string,
  decision: Decision,
  groups: readonly MatchGroup[],
): Promise<void> {
  const { of, none, done } = decisions[decision];
  const ids = groups.filter(({ status }) => of.includes(status)).map(({ id }) => id);
  if (ids.length === 0) {
    notify(none);
    return;
  }
  if (decision === 'undo') await client.match.undo({ site, ids, reason: text.undo });
  else await client.match[decision]({ site, ids });
  const back: Undo = async () => {
    await client.match.undo({ site, ids, reason: text.noteUndo });
    notify(text.undone(ids.length), 'good');
  };
  notify(done(ids.length), 'good', decision === 'undo' ? undefined : back);
}

/** Says that matches were made by hand, and offers to take them back, with the proposals that were declined for them. */
export function notifyMade(client: Client, site: string, changed: readonly MatchGroup[]): void {
  const ids = changed.map(({ id }) => id);
  const made = changed.filter(({ status }) => status === 'confirmed').length;
  notify(text.madeByHand(made), 'good', async () => {
    await client.match.undo({ site, ids, reason: text.noteUndo });
    notify(text.undone(made), 'good');
  });
}

/** Of more than these it is not asked which they were, and they cannot be taken back together. */
const MOST = 5000;

/** Confirms everything a rule suggests, says so, and offers to take back what it confirmed. */
export async function acceptRule(
  client: Client,
  site: string,
  rule: string,
  filter: GroupFilter,
): Promise<void> {
  const suggested = { ...filter, rule: [rule], status: ['suggested' as const] };
  const before = await idsOf(client, site, suggested);
  const { confirmed, left } = await client.match.acceptRule({ site, rule, filter });
  const rest = before && new Set(await idsOf(client, site, suggested));
  const ids = before?.filter((id) => !rest?.has(id)) ?? [];
  const back: Undo = async () => {
    await client.match.undo({ site, ids, reason: text.noteUndo });
    notify(text.undone(ids.length), 'good');
  };
  notify(text.accepted(confirmed, left), 'good', ids.length > 0 ? back : undefined);
}

/** Null where they are too many. */
async function idsOf(client: Client, site: string, filter: GroupFilter): Promise<number[] | null> {
  const ids: number[] = [];
  let after: string | undefined;
  do {
    const page = await client.match.list({ site, filter, members: 0, limit: 500, ...(after && { after }) });
    ids.push(...page.rows.map(({ id }) => id));
    after = page.next ?? undefined;
  } while (after !== undefined && ids.length <= MOST);
  return ids.length > MOST ? null : ids;
}
