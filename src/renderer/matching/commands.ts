import { Check, ChevronDown, ChevronUp, GitCompareArrows, Play, RotateCcw, Split, X } from 'lucide-react';
import type { MatchGroup } from '../../contract/index.ts';
import { type Command, type CommandContext, createCommandFactory, requireSite } from '../commands/command.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import { announceToScreenReader, openDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import {
  applyMatchDecision,
  findConfirmationBlocker,
  type MatchDecision,
  matchDecisions,
} from './shared/match-decisions.ts';
import { openMatchingTab, parseMatchingRoute } from './shared/matching-route.ts';

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

function openMatchId({ route }: CommandContext): number | null {
  const { part, id } = parseMatchingRoute(route.item);
  return route.screen === 'matching' && part === 'review' ? id : null;
}

function hasSelection(context: CommandContext): true | string {
  const isAnySelected = (gridOf(context)?.selectedCount() ?? 0) > 0 || openMatchId(context) !== null;
  return isAnySelected ? true : text.nothingSelected;
}

/** Requires a selection. A single match must also be confirmable. The backend checks several matches. */
function canConfirm(context: CommandContext): true | string {
  const grid = gridOf(context);
  const row = grid?.state.getState().selection.kind === 'following' ? grid.activeRow() : undefined;
  const openId = openMatchId(context);
  const isChecked = row !== undefined && (openId === null || row.id === openId);
  return (isChecked && findConfirmationBlocker(row)) || hasSelection(context);
}

/**
 * Opens the next match without waiting for the list to reload, if the decision removes the open match from the list.
 * Returns a function that goes back if the decision fails.
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
  openMatchingTab('review', next.id, true);
  return () => {
    grid.moveToRow(activeIndex);
    openMatchingTab('review', group.id, true);
  };
}

const defineCommand = createCommandFactory({ section: 'bank', screens: ['matching'] });

/** Defines a command that moves to the next or previous match, even if the list does not have the focus. */
function defineStepCommand(fields: Pick<Command, 'id' | 'title'> & Partial<Command>, by: 1 | -1): Command {
  const enabled = (context: CommandContext) =>
    (gridOf(context)?.state.getState().total ?? 0) > 0 || texts.grid.nothingListed;
  return defineCommand({ ...fields, enabled }, (context) => {
    const grid = gridOf(context);
    if (!grid) return;
    const { activeIndex, hasEntered, total } = grid.state.getState();
    const index = hasEntered ? activeIndex + by : Math.max(0, activeIndex);
    if (index < 0 || index >= total) {
      announceToScreenReader(by > 0 ? text.noneNext : text.nonePrevious);
      return;
    }
    grid.moveToRow(index);
    const row = grid.rowAt(index);
    if (row) openMatchingTab('review', row.id, openMatchId(context) !== null);
  });
}

const decisionCommands = (
  [
    ['confirm', 'A', Check],
    ['decline', 'D', X],
    ['undo', 'U', RotateCcw],
  ] as const
).map(([decision, key, icon]) => {
  const fields = {
    id: `matching.${decision}`,
    title: text[decision],
    icon,
    keys: [key],
    appliesToRows: true,
  };
  const enabled = decision === 'confirm' ? canConfirm : hasSelection;
  return defineCommand({ ...fields, enabled }, async (context) => {
    const { client, site } = context;
    if (!site) return;
    const groups = await selectedMatches(context);
    const back = openNextMatch(context, decision, groups);
    try {
      await applyMatchDecision(client, site.site, decision, groups);
    } catch (refused) {
      back();
      throw refused;
    }
  });
});

async function openSplitDialog(context: CommandContext): Promise<void> {
  const { client, site } = context;
  const id = openMatchId(context);
  if (!site || id === null) return;
  const group = await client.match.get({ site: site.site, id });
  if (group.line_count + group.transaction_count < 2) showNotice(text.split.oneItem);
  else if (group.status === 'declined' || group.status === 'undone') showNotice(text.split.notSplittable);
  else openDialog({ kind: 'split', group });
}

export const matchingCommands: readonly Command[] = [
  {
    id: 'matching.run',
    title: text.run,
    section: 'bank',
    icon: Play,
    keys: ['Shift+M'],
    enabled: requireSite,
    async run({ client, site }) {
      if (!site) return;
      await client.match.run({ site: site.site });
      announceToScreenReader(text.started);
    },
  },
  ...decisionCommands,
  defineCommand(
    {
      id: 'matching.split',
      title: text.split.open,
      icon: Split,
      keys: ['S'],
      enabled: (context) => (openMatchId(context) === null ? text.split.noneOpen : true),
    },
    openSplitDialog,
  ),
  defineStepCommand({ id: 'matching.next', title: text.next, icon: ChevronDown, keys: [']'] }, 1),
  defineStepCommand({ id: 'matching.previous', title: text.previous, icon: ChevronUp, keys: ['['] }, -1),
  {
    id: 'matching.manual',
    title: text.matchManually,
    section: 'bank',
    icon: GitCompareArrows,
    keys: ['H'],
    screens: ['matching', 'bank'],
    enabled: requireSite,
    run: () => openMatchingTab('manual'),
  },
];
