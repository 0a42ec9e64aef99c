import {
  CheckCheck,
  ListTodo,
  type LucideIcon,
  MessageSquare,
  Repeat2,
  RotateCcw,
  Undo2,
  UserRound,
} from 'lucide-react';
import type { ExceptionRow } from '../../contract/index.ts';
import { type Command, type CommandContext, createCommandFactory, requireSite } from '../commands/command.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import { openRecordLocation } from '../navigation/record-location.ts';
import {
  type ExceptionAction,
  openDialog,
  openFilteredList,
  showNotice,
  undoLastAction,
  useWindowState,
} from '../navigation/window-state.ts';
import { formatMoney } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';
import { getEvidenceRoute } from './evidence-panel.tsx';

const text = texts.exceptions;
const MAX_SELECTED_EXCEPTIONS = 1_000_000;

function gridOf(context: CommandContext): GridController<ExceptionRow> | null {
  return context.route.screen === 'exceptions'
    ? (context.grid as unknown as GridController<ExceptionRow> | null)
    : null;
}

/** Returns the exceptions selected in the list. If none is selected, returns the open one. */
async function selectedExceptions(context: CommandContext): Promise<readonly ExceptionRow[]> {
  const { client, route, site } = context;
  const grid = gridOf(context);
  const picked = grid !== null && grid.state.getState().selection.kind !== 'following';
  if (!picked && route.item !== null && site) {
    return [await client.exceptions.get({ site: site.site, id: Number(route.item) })];
  }
  return grid ? await grid.readSelectedRows(MAX_SELECTED_EXCEPTIONS) : [];
}

function hasSelection(context: CommandContext): true | string {
  const picked = (gridOf(context)?.selectedCount() ?? 0) > 0 || context.route.item !== null;
  return picked ? true : text.nothingSelected;
}

/** Returns the formatted total amount at stake, or null if it is zero. */
function totalAtStake(rows: readonly ExceptionRow[], currency = ''): string | null {
  const cents = rows.reduce((sum, { at_stake_in_cents }) => sum + at_stake_in_cents, 0);
  return cents === 0 ? null : formatMoney(cents, currency);
}

interface ExceptionActionCommand {
  readonly act: ExceptionAction;
  readonly key: string;
  readonly icon: LucideIcon;
  /** Status required for the action, and the message shown if no selected exception has it. */
  readonly only?: readonly [status: ExceptionRow['status'], message: string];
}

const exceptionActions: readonly ExceptionActionCommand[] = [
  { act: 'accept', key: 'A', icon: CheckCheck, only: ['open', text.noneOpen] },
  { act: 'reopen', key: 'Shift+A', icon: RotateCcw, only: ['accepted', text.noneAccepted] },
  { act: 'assign', key: 'M', icon: UserRound },
  { act: 'comment', key: 'C', icon: MessageSquare },
];

const defineCommand = createCommandFactory({ section: 'exceptions' });
const onScreen = { screens: ['exceptions'] as const };
const onRows = { ...onScreen, appliesToRows: true };

const actCommands = exceptionActions.map(({ act, key, icon, only }) =>
  defineCommand(
    { ...onRows, id: `exceptions.${act}`, title: text[act], icon, keys: [key], enabled: hasSelection },
    async (context) => {
      const rows = await selectedExceptions(context);
      const matching = only ? rows.filter(({ status }) => status === only[0]) : rows;
      if (matching.length === 0) return showNotice(only?.[1] ?? text.nothingSelected);
      openDialog({
        kind: 'exceptions',
        act,
        ids: matching.map(({ id }) => id),
        stake: totalAtStake(matching, context.site?.currency),
        // Clears the selection, because exceptions whose status has changed may no longer be in the list.
        onDone: () => only && gridOf(context)?.clearSelection(),
      });
    },
  ),
);

const rowCommands = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) =>
  defineCommand(
    {
      ...onScreen,
      id: `exceptions.row${number}`,
      title: text.openEvidenceRow(number),
      keys: [String(number)],
      enabled: ({ route }) => route.item !== null || texts.frame.nothingOpen,
    },
    async ({ client, site, route }) => {
      if (!site || route.item === null) return;
      const { rows } = await client.exceptions.get({ site: site.site, id: Number(route.item) });
      const row = rows[number - 1];
      if (row) openRecordLocation(getEvidenceRoute(row));
      else showNotice(text.noEvidenceRow);
    },
  ),
);

export const exceptionCommands: readonly Command[] = [
  ...actCommands,
  defineCommand(
    {
      ...onRows,
      id: 'exceptions.replay',
      title: text.replay,
      icon: Repeat2,
      keys: ['R'],
      enabled: (context) => context.unavailableReason ?? hasSelection(context),
    },
    async (context) => {
      const rows = await selectedExceptions(context);
      const ids = rows.flatMap(({ subject }) => subject.webhook_id ?? []);
      if (ids.length > 0) openDialog({ kind: 'replay', selection: { ids: [...new Set(ids)] } });
      else showNotice(text.noWebhook);
    },
  ),
  defineCommand(
    {
      id: 'exceptions.undo',
      title: texts.frame.undoLast,
      icon: Undo2,
      keys: ['Z'],
      enabled: () => useWindowState.getState().undo !== null || texts.frame.nothingToUndo,
    },
    () => undoLastAction(),
  ),
  ...rowCommands,
  defineCommand({ id: 'exceptions.open', title: text.showOpen, icon: ListTodo, enabled: requireSite }, () =>
    openFilteredList('exceptions', { status: ['open'] }),
  ),
];
