import { CircleX, Repeat2 } from 'lucide-react';
import type { WebhookFilter, WebhookRow } from '../../contract/index.ts';
import { type Command, type CommandContext, createCommandFactory, requireSite } from '../commands/command.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import { openDialog, openFilteredList, type ReplaySelection } from '../navigation/window-state.ts';
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

const defineCommand = createCommandFactory({ section: 'webhooks', screens: ['webhooks'], icon: Repeat2 });

export const webhookCommands: readonly Command[] = [
  defineCommand(
    {
      id: 'webhooks.replay',
      title: texts.replay.replaySelected,
      appliesToRows: true,
      keys: ['R'],
      enabled: (context) =>
        (findWebhookGrid(context)?.selectedCount() ?? 0) > 0 ||
        context.route.item !== null ||
        texts.replay.nothingSelected,
    },
    async (context) => {
      const grid = findWebhookGrid(context);
      if (!grid) return;
      // If no rows are selected, replays the webhook whose detail is open.
      const selection =
        grid.selectedCount() > 0
          ? await readSelection(grid, context.filters.webhooks)
          : { ids: [Number(context.route.item)] };
      openDialog({ kind: 'replay', selection });
    },
  ),
  defineCommand(
    {
      id: 'webhooks.replayAll',
      title: texts.replay.replayAll,
      keys: ['Shift+R'],
      enabled: (context) =>
        (findWebhookGrid(context)?.state.getState().total ?? 0) > 0 || texts.replay.nothingListed,
    },
    ({ filters }) => openDialog({ kind: 'replay', selection: { filter: filters.webhooks } }),
  ),
  {
    id: 'webhooks.failed',
    title: texts.webhooks.showFailed,
    section: 'webhooks',
    icon: CircleX,
    enabled: requireSite,
    run: () => openFilteredList('webhooks', { status: 'failed' }),
  },
];
