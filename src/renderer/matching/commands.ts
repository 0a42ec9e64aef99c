import { Check, ChevronDown, ChevronUp, GitCompareArrows, Play, RotateCcw, Split, X } from 'lucide-react';
import type { MatchGroup } from '../../contract/index.ts';
import type { Command, CommandContext } from '../commands/command.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import { announce, openDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { applyDecision, type MatchDecision, matchDecisions } from './match-decisions.ts';
import { openMatching, parseMatchingRoute } from './route.ts';

const text = texts.matching;
const MAX_SELECTED_MATCHES = 10_000;

function gridOf({ route, grid }: CommandContext): GridController<MatchGroup> | null {
  return route.screen === 'matching' && parseMatchingRoute(route.item).part === 'review'
    ? (grid as unknown as GridController<MatchGroup> | null)
    : null;
}

/** Returns the matches selected in the list. If none is selected, returns the open match. */
async function selectedMatches(context: CommandContext): Promise<readonly MatchGroup[]> {
  const { client, site } = context;
  const grid = gridOf(context);
  const isSelecting = grid !== null && grid.state.getState().selection.kind !== 'following';
  const openId = openMatchId(context);
  if (!isSelecting && site && openId !== null) {
    const row = grid?.activeRow();
    return [row?.id === openId ? row : await client.match.get({ site: site.site, id: openId })];
  }
  return grid ? await grid.readSelectedRows(MAX_SELECTED_MATCHES) : [];
}

/** Returns the id of the open match, or null if none is open. */
function openMatchId({ route }: CommandContext): number | null {
  const { part, id } = parseMatchingRoute(route.item);
  return route.screen === 'matching' && part === 'review' ? id : null;
}

function hasSelection(context: CommandContext): true | string {
  const isAnySelected = (gridOf(context)?.selectedCount() ?? 0) > 0 || openMatchId(context) !== null;
  return isAnySelected ? true : text.nothingSelected;
}

/**
 * Opens the next match immediately, without waiting for the list to reload, if the decision removes the open match from
 * the list. Returns a function that goes back if the decision fails.
 */
function openNextMatch(
  context: CommandContext,
  decision: MatchDecision,
  groups: readonly MatchGroup[],
): () => void {
  const [group, ...others] = groups;
  const grid = gridOf(context);
  const { status = [] } = context.filters.matching;
  const staysListed = status.length === 0 || status.includes(matchDecisions[decision].result);
  const applies = group !== undefined && matchDecisions[decision].appliesTo.includes(group.status);
  if (!applies || others.length > 0 || !grid || staysListed || openMatchId(context) !== group.id)
    return () => undefined;
  const { activeIndex } = grid.state.getState();
  const nextIndex = grid.rowAt(activeIndex + 1) === undefined ? activeIndex - 1 : activeIndex + 1;
  const next = grid.rowAt(nextIndex);
  if (grid.activeRow()?.id !== group.id || next === undefined) return () => undefined;
  grid.moveToRow(nextIndex);
  openMatching('review', next.id, true);
  return () => {
    grid.moveToRow(activeIndex);
    openMatching('review', group.id, true);
  };
}

/**
 * Creates a command that moves to the next or previous match. Unlike the grid's own keys, the command works even if the
 * grid does not have the focus.
 */
function stepCommand(by: 1 | -1): Pick<Command, 'enabled' | 'run'> {
  return {
    enabled: (context) =>
      (gridOf(context)?.state.getState().total ?? 0) > 0 ? true : texts.grid.nothingListed,
    run(context) {
      const grid = gridOf(context);
      if (!grid) return;
      const { activeIndex, hasEntered, total } = grid.state.getState();
      const index = hasEntered ? activeIndex + by : Math.max(0, activeIndex);
      if (index < 0 || index >= total) {
        announce(by > 0 ? text.noneNext : text.nonePrevious);
        return;
      }
      grid.moveToRow(index);
      const row = grid.rowAt(index);
      if (row) openMatching('review', row.id, openMatchId(context) !== null);
    },
  };
}

const decisionButtons: Record<MatchDecision, readonly [title: string, key: string, icon: Command['icon']]> = {
  confirm: [text.confirm, 'A', Check],
  decline: [text.decline, 'D', X],
  undo: [text.undo, 'U', RotateCcw],
};

const decisionCommands = (Object.keys(decisionButtons) as MatchDecision[]).map((decision): Command => {
  const [title, key, icon] = decisionButtons[decision];
  return {
    id: `matching.${decision}`,
    title,
    section: 'bank',
    ...(icon ? { icon } : {}),
    keys: [key],
    screens: ['matching'],
    enabled: hasSelection,
    async run(context) {
      const { client, site } = context;
      if (!site) return;
      const groups = await selectedMatches(context);
      const back = openNextMatch(context, decision, groups);
      try {
        await applyDecision(client, site.site, decision, groups);
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
    enabled: ({ site }) => site !== null || texts.frame.noSite,
    async run({ client, site }) {
      if (!site) return;
      await client.match.run({ site: site.site });
      announce(text.started);
    },
  },
  ...decisionCommands,
  {
    id: 'matching.split',
    title: text.split.open,
    section: 'bank',
    icon: Split,
    keys: ['S'],
    screens: ['matching'],
    enabled: (context) => (openMatchId(context) === null ? text.split.noneOpen : true),
    async run(context) {
      const { client, site } = context;
      const id = openMatchId(context);
      if (!site || id === null) return;
      const group = await client.match.get({ site: site.site, id });
      if (group.line_count + group.transaction_count < 2) showNotice(text.split.oneItem);
      else if (group.status === 'declined' || group.status === 'undone') showNotice(text.split.notSplittable);
      else openDialog({ kind: 'split', group });
    },
  },
  {
    id: 'matching.next',
    title: text.next,
    section: 'bank',
    icon: ChevronDown,
    keys: [']'],
    screens: ['matching'],
    ...stepCommand(1),
  },
  {
    id: 'matching.previous',
    title: text.previous,
    section: 'bank',
    icon: ChevronUp,
    keys: ['['],
    screens: ['matching'],
    ...stepCommand(-1),
  },
  {
    id: 'matching.manual',
    title: text.matchManually,
    section: 'bank',
    icon: GitCompareArrows,
    keys: ['H'],
    screens: ['matching', 'bank'],
    enabled: ({ site }) => site !== null || texts.frame.noSite,
    run: () => openMatching('manual'),
  },
];
