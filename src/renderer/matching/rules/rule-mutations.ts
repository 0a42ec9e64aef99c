import type { BackendClient, MatchRule } from '../../../contract/index.ts';
import { showNotice } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import type { ValidMatchRule } from './rule-draft.ts';

const text = texts.matchRules;

const contentOf = ({ title, enabled, conditions, action }: MatchRule): ValidMatchRule => ({
  title,
  enabled,
  conditions,
  action,
});

interface SaveRuleInput {
  /** Match rule to update, or null to create one. */
  readonly before: MatchRule | null;
  readonly content: ValidMatchRule;
  readonly notice?: string;
}

/** Creates or updates a match rule and offers to undo the change. Rethrows backend errors. */
export async function saveMatchRule(
  client: BackendClient,
  site: string,
  { before, content, notice = text.saved(content.title) }: SaveRuleInput,
): Promise<MatchRule> {
  const saved = await client.match.saveRule({ site, ...(before && { id: before.id }), ...content });
  showNotice(notice, 'good', async () => {
    if (before === null) await client.match.removeRule({ site, id: saved.id });
    else await client.match.saveRule({ site, id: before.id, ...contentOf(before) });
    showNotice(text.undone, 'good');
  });
  return saved;
}

/** Deletes a match rule and offers an undo that also restores its position. */
export async function deleteMatchRule(client: BackendClient, site: string, rule: MatchRule): Promise<void> {
  const order = (await client.match.rules({ site })).map(({ id }) => id);
  await client.match.removeRule({ site, id: rule.id });
  showNotice(text.removed(rule.title), 'good', async () => {
    const restored = await client.match.saveRule({ site, ...contentOf(rule) });
    const others = (await client.match.rules({ site }))
      .map(({ id }) => id)
      .filter((id) => id !== restored.id);
    others.splice(Math.max(0, order.indexOf(rule.id)), 0, restored.id);
    await client.match.orderRules({ site, ids: others });
    showNotice(text.undone, 'good');
  });
}

/** Reorders the match rules and offers to undo the change. */
export async function reorderMatchRules(
  client: BackendClient,
  site: string,
  rules: readonly MatchRule[],
  ids: readonly number[],
): Promise<void> {
  const before = rules.map(({ id }) => id);
  if (before.join() === ids.join()) return;
  await client.match.orderRules({ site, ids: [...ids] });
  showNotice(text.ordered, 'good', async () => {
    await client.match.orderRules({ site, ids: before });
    showNotice(text.undone, 'good');
  });
}

/** Returns the list of ids with some of them moved before or after the target id. */
export function moveIdInList(
  ids: readonly number[],
  moved: ReadonlySet<number>,
  target: number,
  where: 'before' | 'after',
): number[] {
  const others = ids.filter((id) => !moved.has(id));
  const index = others.indexOf(target);
  if (index < 0) return [...ids];
  others.splice(where === 'after' ? index + 1 : index, 0, ...ids.filter((id) => moved.has(id)));
  return others;
}
