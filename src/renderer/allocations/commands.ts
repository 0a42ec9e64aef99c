import { FilePen, FileUp, PenLine, Plus } from 'lucide-react';
import { always, type Command } from '../commands/command.ts';
import { openDialog } from '../view/view.ts';
import { words } from '../words/words.ts';
import { openDrafts, pairIn } from './place.ts';

export const allocationCommands: readonly Command[] = [
  {
    id: 'allocations.track',
    title: words.allocations.track,
    section: 'allocations',
    icon: Plus,
    keys: ['T'],
    screens: ['allocations'],
    enabled: ({ away }) => away ?? true,
    run: () => openDialog({ kind: 'track' }),
  },
  {
    id: 'allocations.change',
    title: words.changes.change,
    section: 'allocations',
    icon: PenLine,
    keys: ['Q'],
    screens: ['allocations'],
    enabled: ({ route }) => pairIn(route.item) !== null || words.changes.noPair,
    run: ({ route }) => {
      const pair = pairIn(route.item);
      if (pair) openDialog({ kind: 'changeQuantity', ...pair });
    },
  },
  {
    id: 'allocations.import',
    title: words.changes.import,
    section: 'allocations',
    icon: FileUp,
    screens: ['allocations'],
    enabled: always,
    run: () => openDialog({ kind: 'importChanges' }),
  },
  {
    id: 'allocations.drafts',
    title: words.changes.list,
    section: 'allocations',
    icon: FilePen,
    enabled: ({ site }) => site !== null || words.frame.noSite,
    run: openDrafts,
  },
];
