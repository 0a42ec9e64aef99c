import { CircleX, Repeat2 } from 'lucide-react';
import type { WebhookFilter, WebhookRow } from '../../contract/index.ts';
import type { Command, CommandContext } from '../commands/command.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import { openDialog, openFilteredScreen, type ReplaySelection } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

/** Maximum number of ids in a selection. Larger selections use a filter instead. */
const MAX_IDS = 1_000_000;

/** Returns the webhooks to replay: the selected rows, or the current filter if all matching rows are selected. */
async function readSelection(
  grid: GridController<WebhookRow>,
  filter: WebhookFilter,
): Promise<ReplaySelection> {
  const { selection } = grid.state.getState();
  if (selection.kind === 'all' && selection.except.size === 0) return { filter };
  if (selection.kind === 'some') return { ids: [...selection.ids].map(Number) };
  return { ids: (await grid.readSelectedRows(MAX_IDS)).map((row) => row.id) };
}

function findWebhookGrid(context: CommandContext): GridController<WebhookRow> | null {
  return context.route.screen === 'webhooks'
    ? (context.grid as unknown as GridController<WebhookRow> | null)
    : null;
}

export const webhookCommands: readonly Command[] = [
  {
    id: 'webhooks.replay',
    title: texts.replay.replaySelected,
    section: 'webhooks',
    icon: Repeat2,
    keys: ['R'],
    screens: ['webhooks'],
    enabled(context) {
      const hasSelection =
        (findWebhookGrid(context)?.selectedCount() ?? 0) > 0 || context.route.item !== null;
      return hasSelection ? true : texts.replay.nothingSelected;
    },
    async run(context) {
      const grid = findWebhookGrid(context);
      if (!grid) return;
      // If no rows are selected, replays the webhook whose detail is open.
      const selection =
        grid.selectedCount() > 0
          ? await readSelection(grid, context.filters.webhooks)
          : { ids: [Number(context.route.item)] };
      openDialog({ kind: 'replay', selection });
    },
  },
  {
    id: 'webhooks.replayAll',
    title: texts.replay.replayAll,
    section: 'webhooks',
    icon: Repeat2,
    keys: ['Shift+R'],
    screens: ['webhooks'],
    enabled(context) {
      return (findWebhookGrid(context)?.state.getState().total ?? 0) > 0 ? true : texts.replay.nothingListed;
    },
    run: ({ filters }) => openDialog({ kind: 'replay', selection: { filter: filters.webhooks } }),
  },
  {
    id: 'webhooks.failed',
    title: texts.webhooks.showFailed,
    section: 'webhooks',
    icon: CircleX,
    enabled: ({ site }) => (site ? true : texts.frame.noSite),
    run: () => openFilteredScreen('webhooks', { status: 'failed' }),
  },
];
