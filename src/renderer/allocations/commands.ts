import { FilePen, FileUp, PenLine, Plus } from 'lucide-react';
import { alwaysEnabled, type Command } from '../commands/command.ts';
import { openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { openDrafts, toSubscriptionComponent } from './allocation-route.ts';

export const allocationCommands: readonly Command[] = [
  {
    id: 'allocations.track',
    title: texts.allocations.track,
    section: 'allocations',
    icon: Plus,
    keys: ['T'],
    screens: ['allocations'],
    enabled: ({ unavailableReason }) => unavailableReason ?? true,
    run: () => openDialog({ kind: 'track' }),
  },
  {
    id: 'allocations.change',
    title: texts.changes.change,
    section: 'allocations',
    icon: PenLine,
    keys: ['Q'],
    screens: ['allocations'],
    enabled: ({ route }) => toSubscriptionComponent(route.item) !== null || texts.changes.noComponent,
    run: ({ route }) => {
      const component = toSubscriptionComponent(route.item);
      if (component) openDialog({ kind: 'changeQuantity', ...component });
    },
  },
  {
    id: 'allocations.import',
    title: texts.changes.import,
    section: 'allocations',
    icon: FileUp,
    screens: ['allocations'],
    enabled: alwaysEnabled,
    run: () => openDialog({ kind: 'importChanges' }),
  },
  {
    id: 'allocations.drafts',
    title: texts.changes.list,
    section: 'allocations',
    icon: FilePen,
    enabled: ({ site }) => site !== null || texts.frame.noSite,
    run: openDrafts,
  },
];
