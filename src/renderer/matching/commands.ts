import { Check, GitCompareArrows, Play, RotateCcw, X } from 'lucide-react';
import type { MatchGroup } from '../../contract/index.ts';
import type { Command, CommandContext } from '../commands/command.ts';
import type { Grid } from '../grid/controller.ts';
import { go, say } from '../view/view.ts';
import { words } from '../words/words.ts';
import { type Decision, decide } from './decide.ts';

const text = words.matching;
const MOST = 10_000;

function gridOf({ route, grid }: CommandContext): Grid<MatchGroup> | null {
  return route.screen === 'matching' && route.item !== 'hand'
    ? (grid as unknown as Grid<MatchGroup> | null)
    : null;
}

/** The matches picked in the list; where none is, the one that is open. */
async function chosen(context: CommandContext): Promise<readonly MatchGroup[]> {
  const { client, route, site } = context;
  const grid = gridOf(context);
  const picked = grid !== null && grid.state.getState().selection.kind !== 'following';
  if (!picked && site && /^\d+$/.test(route.item ?? '')) {
    return [await client.match.get({ site: site.site, id: Number(route.item) })];
  }
  return grid ? await grid.selectedRows(MOST) : [];
}

function someChosen(context: CommandContext): true | string {
  const picked = (gridOf(context)?.count() ?? 0) > 0 || /^\d+$/.test(context.route.item ?? '');
  return picked ? true : text.nothingSelected;
}

const looks: Record<Decision, readonly [title: string, key: string, icon: Command['icon']]> = {
  confirm: [text.confirm, 'A', Check],
  decline: [text.decline, 'D', X],
  undo: [text.undo, 'U', RotateCcw],
};

const decisionCommands = (Object.keys(looks) as Decision[]).map((decision): Command => {
  const [title, key, icon] = looks[decision];
  return {
    id: `matching.${decision}`,
    title,
    section: 'bank',
    ...(icon ? { icon } : {}),
    keys: [key],
    screens: ['matching'],
    enabled: someChosen,
    async run(context) {
      const { client, site } = context;
      if (site) await decide(client, site.site, decision, await chosen(context));
    },
  };
});

export const matchingCommands: readonly Command[] = [
  {
    id: 'matching.run',
    title: text.run,
    section: 'bank',
    icon: Play,
    keys: ['Shift+M'],
    enabled: ({ site }) => site !== null || words.frame.noSite,
    async run({ client, site }) {
      if (!site) return;
      await client.match.run({ site: site.site });
      say(text.started);
    },
  },
  ...decisionCommands,
  {
    id: 'matching.hand',
    title: text.toHand,
    section: 'bank',
    icon: GitCompareArrows,
    keys: ['H'],
    screens: ['matching', 'bank'],
    enabled: ({ site }) => site !== null || words.frame.noSite,
    run: () => go({ screen: 'matching', item: 'hand' }),
  },
];
