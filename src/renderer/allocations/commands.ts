import { Plus } from 'lucide-react';
import type { Command } from '../commands/command.ts';
import { openDialog } from '../view/view.ts';
import { words } from '../words/words.ts';

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
];
