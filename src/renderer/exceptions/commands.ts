import { CheckCheck, ListTodo, MessageSquare, Repeat2, RotateCcw, Undo2, UserRound } from 'lucide-react';
import type { ExceptionRow } from '../../contract/index.ts';
import type { Command, CommandContext } from '../commands/command.ts';
import type { Grid } from '../grid/controller.ts';
import { openPlace } from '../view/place.ts';
import { type ExceptionAct, notify, openDialog, showFiltered, undoLast, useView } from '../view/view.ts';
import { moneyText } from '../words/money.ts';
import { words } from '../words/words.ts';
import { homeOf } from './evidence.ts';

const text = words.exceptions;
const MOST = 1_000_000;

function gridOf(context: CommandContext): Grid<ExceptionRow> | null {
  return context.route.screen === 'exceptions'
    ? (context.grid as unknown as Grid<ExceptionRow> | null)
    : null;
}

/** The exceptions picked in the list; where none is, the one whose detail is open. */
async function chosen(context: CommandContext): Promise<readonly ExceptionRow[]> {
  const { client, route, site } = context;
  const grid = gridOf(context);
  const picked = grid !== null && grid.state.getState().selection.kind !== 'following';
  if (!picked && route.item !== null && site) {
    return [await client.exceptions.get({ site: site.site, id: Number(route.item) })];
  }
  return grid ? await grid.selectedRows(MOST) : [];
}

function someChosen(context: CommandContext): true | string {
  const picked = (gridOf(context)?.count() ?? 0) > 0 || context.route.item !== null;
  return picked ? true : text.nothingSelected;
}

/** What these come to at stake, for people; null where that is nothing. */
function stakeOf(rows: readonly ExceptionRow[], currency = ''): string | null {
  const cents = rows.reduce((sum, { at_stake_in_cents }) => sum + at_stake_in_cents, 0);
  return cents === 0 ? null : moneyText(cents, currency);
}

interface Act {
  readonly act: ExceptionAct;
  readonly title: string;
  readonly key: string;
  readonly icon: Command['icon'];
  /** Which of the chosen it can be done to, and what to say where that is none. */
  readonly only?: readonly [status: ExceptionRow['status'], otherwise: string];
}

const acts: readonly Act[] = [
  { act: 'accept', title: text.accept, key: 'A', icon: CheckCheck, only: ['open', text.noneOpen] },
  {
    act: 'reopen',
    title: text.reopen,
    key: 'Shift+A',
    icon: RotateCcw,
    only: ['accepted', text.noneAccepted],
  },
  { act: 'assign', title: text.assign, key: 'M', icon: UserRound },
  { act: 'comment', title: text.comment, key: 'C', icon: MessageSquare },
];

const actCommands = acts.map(
  ({ act, title, key, icon, only }): Command => ({
    id: `exceptions.${act}`,
    title,
    section: 'exceptions',
    ...(icon ? { icon } : {}),
    keys: [key],
    screens: ['exceptions'],
    enabled: someChosen,
    async run(context) {
      const rows = await chosen(context);
      const fit = only ? rows.filter(({ status }) => status === only[0]) : rows;
      if (fit.length === 0) return notify(only?.[1] ?? text.nothingSelected);
      openDialog({
        kind: 'exceptions',
        act,
        ids: fit.map(({ id }) => id),
        stake: stakeOf(fit, context.site?.currency),
        // What has another status may have left the list: nothing that is not there stays picked.
        onDone: () => only && gridOf(context)?.clearSelection(),
      });
    },
  }),
);

const rowCommands = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(
  (place): Command => ({
    id: `exceptions.row${place}`,
    title: text.openRow(place),
    section: 'exceptions',
    keys: [String(place)],
    screens: ['exceptions'],
    enabled: ({ route }) => (route.item === null ? words.frame.nothingOpen : true),
    async run({ client, site, route }) {
      if (!site || route.item === null) return;
      const { rows } = await client.exceptions.get({ site: site.site, id: Number(route.item) });
      const row = rows[place - 1];
      if (row) openPlace(homeOf(row));
      else notify(text.noRow);
    },
  }),
);

export const exceptionCommands: readonly Command[] = [
  ...actCommands,
  {
    id: 'exceptions.replay',
    title: text.replay,
    section: 'exceptions',
    icon: Repeat2,
    keys: ['R'],
    screens: ['exceptions'],
    enabled: (context) => context.away ?? someChosen(context),
    async run(context) {
      const rows = await chosen(context);
      const ids = rows.flatMap(({ subject }) => subject.webhook_id ?? []);
      if (ids.length > 0) openDialog({ kind: 'replay', selection: { ids: [...new Set(ids)] } });
      else notify(text.noWebhook);
    },
  },
  {
    id: 'exceptions.undo',
    title: words.frame.undoLast,
    section: 'exceptions',
    icon: Undo2,
    keys: ['Z'],
    enabled: () => (useView.getState().undo === null ? words.frame.nothingToUndo : true),
    run: () => undoLast(),
  },
  ...rowCommands,
  {
    id: 'exceptions.open',
    title: text.showOpen,
    section: 'exceptions',
    icon: ListTodo,
    enabled: ({ site }) => (site ? true : words.frame.noSite),
    run: () => showFiltered('exceptions', { status: ['open'] }),
  },
];
