import type { Client, MatchRule } from '../../../contract/index.ts';
import { notify } from '../../view/view.ts';
import { words } from '../../words/words.ts';
import type { RuleContent } from './draft.ts';

const text = words.matchRules;

const contentOf = ({ title, enabled, conditions, action }: MatchRule): RuleContent => ({
  title,
  enabled,
  conditions,
  action,
});

/** Keeps a rule, a new one or over the one there is, and offers to take it back. Throws what the backend throws. */
export async function keepRule(
  client: Client,
  site: string,
  before: MatchRule | null,
  content: RuleContent,
  said = text.kept(content.title),
): Promise<MatchRule> {
  const kept = await client.match.saveRule({ site, ...(before && { id: before.id }), ...content });
  notify(said, 'good', async () => {
    if (before === null) await client.match.removeRule({ site, id: kept.id });
    else await client.match.saveRule({ site, id: before.id, ...contentOf(before) });
    notify(text.takenBack, 'good');
  });
  return kept;
}

/** Takes a rule away; taken back, it comes into its place again. */
export async function removeRule(client: Client, site: string, rule: MatchRule): Promise<void> {
  const order = (await client.match.rules({ site })).map(({ id }) => id);
  await client.match.removeRule({ site, id: rule.id });
  notify(text.removed(rule.title), 'good', async () => {
    const again = await client.match.saveRule({ site, ...contentOf(rule) });
    const others = (await client.match.rules({ site })).map(({ id }) => id).filter((id) => id !== again.id);
    others.splice(Math.max(0, order.indexOf(rule.id)), 0, again.id);
    await client.match.orderRules({ site, ids: others });
    notify(text.takenBack, 'good');
  });
}

/** Puts the rules in another order, and offers the one before. */
export async function orderRules(
  client: Client,
  site: string,
  rules: readonly MatchRule[],
  ids: readonly number[],
): Promise<void> {
  const before = rules.map(({ id }) => id);
  if (before.join() === ids.join()) return;
  await client.match.orderRules({ site, ids: [...ids] });
  notify(text.ordered, 'good', async () => {
    await client.match.orderRules({ site, ids: before });
    notify(text.takenBack, 'good');
  });
}

/** The ids with some of them moved before or after another one. */
export function moved(
  ids: readonly number[],
  some: ReadonlySet<number>,
  target: number,
  where: 'before' | 'after',
): number[] {
  const rest = ids.filter((id) => !some.has(id));
  const at = rest.indexOf(target);
  if (at < 0) return [...ids];
  rest.splice(where === 'after' ? at + 1 : at, 0, ...ids.filter((id) => some.has(id)));
  return rest;
}
