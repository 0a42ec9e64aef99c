import { FilePen, FileUp, PenLine, Plus } from 'lucide-react';
import { type Command, createCommandFactory, requireSite } from '../commands/command.ts';
import { openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { openAllocationDrafts, parseSubscriptionComponent } from './allocation-route.ts';

const defineCommand = createCommandFactory({ section: 'allocations', screens: ['allocations'] });

export const allocationCommands: readonly Command[] = [
  defineCommand(
    {
      id: 'allocations.track',
      title: texts.allocations.track,
      icon: Plus,
      keys: ['T'],
      enabled: ({ unavailableReason }) => unavailableReason ?? true,
    },
    () => openDialog({ kind: 'track' }),
  ),
  defineCommand(
    {
      id: 'allocations.change',
      title: texts.changes.change,
      icon: PenLine,
      keys: ['Q'],
      enabled: ({ route }) => parseSubscriptionComponent(route.item) !== null || texts.changes.noComponent,
    },
    ({ route }) => {
      const component = parseSubscriptionComponent(route.item);
      if (component) openDialog({ kind: 'changeQuantity', ...component });
    },
  ),
  defineCommand({ id: 'allocations.import', title: texts.changes.import, icon: FileUp }, () =>
    openDialog({ kind: 'importChanges' }),
  ),
  createCommandFactory({ section: 'allocations', enabled: requireSite })(
    { id: 'allocations.drafts', title: texts.changes.list, icon: FilePen },
    openAllocationDrafts,
  ),
];
