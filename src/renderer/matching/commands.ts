import { Check, ChevronDown, ChevronUp, GitCompareArrows, Play, RotateCcw, Split, X } from 'lucide-react';
import type { MatchGroup } from '../../contract/index.ts';
import type { Command, CommandContext } from '../commands/command.ts';
import type { Grid } from '../grid/controller.ts';
import { notify, openDialog, say } from '../view/view.ts';
import { words } from '../words/words.ts';
import { type Decision, decide, decisions } from './decide.ts';
import { matchingPlace, openMatching } from './place.ts';

const text = words.matching;
const MOST = 10_000;

function gridOf({ route, grid }: CommandContext): Grid<MatchGroup> | null {
  return route.screen === 'matching' && matchingPlace(route.item).part === 'review'
    ? (grid as unknown as Grid<MatchGroup> | null)
    : null;
}

/** The matches picked in the list; where none is, the one that is open. */
async function chosen(context: CommandContext): Promise<readonly MatchGroup[]> {
  const { client, site } = context;
  const grid = gridOf(context);
  const picked = grid !== null && grid.state.getState().selection.kind !== 'following';
  const open = openGroup(context);
  if (!picked && site && open !== null) {
    const row = grid?.activeRow();
    return [row?.id === open ? row : await client.match.get({ site: site.site, id: open })];
  }
  return grid ? await grid.selectedRows(MOST) : [];
}

/** The match that is open; null where none is. */
function openGroup({ route }: CommandContext): number | null {
  const { part, id } = matchingPlace(route.item);
  return route.screen === 'matching' && part === 'review' ? id : null;
}

function someChosen(context: CommandContext): true | string {
  const picked = (gridOf(context)?.count() ?? 0) > 0 || openGroup(context) !== null;
  return picked ? true : text.nothingSelected;
}

/**
 * Where a decision takes the open match out of the list, the next one comes at once: nobody waits for the list to be read again.
 * Gives the way back, for a decision that is refused.
 */
function moveOn(context: CommandContext, decision: Decision, groups: readonly MatchGroup[]): () => void {
  const [group, ...others] = groups;
  const grid = gridOf(context);
  const { status = [] } = context.filters.matching;
  const stays = status.length === 0 || status.includes(decisions[decision].becomes);
  const decided = group !== undefined && decisions[decision].of.includes(group.status);
  if (!decided || others.length > 0 || !grid || stays || openGroup(context) !== group.id)
    return () => undefined;
  const { active } = grid.state.getState();
  const to = grid.rowAt(active + 1) === undefined ? active - 1 : active + 1;
  const next = grid.rowAt(to);
  if (grid.activeRow()?.id !== group.id || next === undefined) return () => undefined;
  grid.moveTo(to);
  openMatching('review', next.id, true);
  return () => {
    grid.moveTo(active);
    openMatching('review', group.id, true);
  };
}

/** To the match beside the open one; with none open, into the list. The keys of the list need its focus, these do not. */
function step(by: 1 | -1): Pick<Command, 'enabled' | 'run'> {
  return {
    enabled: (context) =>
      (gridOf(context)?.state.getState().total ?? 0) > 0 ? true : words.grid.nothingListed,
    run(context) {
      const grid = gridOf(context);
      if (!grid) return;
      const { active, entered, total } = grid.state.getState();
      const to = entered ? active + by : Math.max(0, active);
      if (to < 0 || to >= total) {
        say(by > 0 ? text.noneNext : text.nonePrevious);
        return;
      }
      grid.moveTo(to);
      const row = grid.rowAt(to);
      if (row) openMatching('review', row.id, openGroup(context) !== null);
    },
  };
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
      if (!site) return;
      const groups = await chosen(context);
      const back = moveOn(context, decision, groups);
      try {
        await decide(client, site.site, decision, groups);
      } catch (refused) {
        back();
        throw refused;
      }
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
    id: 'matching.divide',
    title: text.divide.open,
    section: 'bank',
    icon: Split,
    keys: ['S'],
    screens: ['matching'],
    enabled: (context) => (openGroup(context) === null ? text.divide.noneOpen : true),
    async run(context) {
      const { client, site } = context;
      const id = openGroup(context);
      if (!site || id === null) return;
      const group = await client.match.get({ site: site.site, id });
      if (group.line_count + group.transaction_count < 2) notify(text.divide.alone);
      else if (group.status === 'declined' || group.status === 'undone') notify(text.divide.over);
      else openDialog({ kind: 'divide', group });
    },
  },
  {
    id: 'matching.next',
    title: text.next,
    section: 'bank',
    icon: ChevronDown,
    keys: [']'],
    screens: ['matching'],
    ...step(1),
  },
  {
    id: 'matching.previous',
    title: text.previous,
    section: 'bank',
    icon: ChevronUp,
    keys: ['['],
    screens: ['matching'],
    ...step(-1),
  },
  {
    id: 'matching.hand',
    title: text.toHand,
    section: 'bank',
    icon: GitCompareArrows,
    keys: ['H'],
    screens: ['matching', 'bank'],
    enabled: ({ site }) => site !== null || words.frame.noSite,
    run: () => openMatching('hand'),
  },
];
