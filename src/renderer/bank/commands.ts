import { FileUp, History } from 'lucide-react';
import type { Command } from '../commands/command.ts';
import { openDialog } from '../view/view.ts';
import { words } from '../words/words.ts';
import { openImports } from './place.ts';

export const bankCommands: readonly Command[] = [
  {
    id: 'bank.import',
    title: words.bank.import,
    section: 'bank',
    icon: FileUp,
    keys: ['I'],
    screens: ['bank'],
    enabled: ({ site }) => site !== null || words.frame.noSite,
    run: () => openDialog({ kind: 'importFile' }),
  },
  {
    id: 'bank.imports',
    title: words.bank.imports,
    section: 'bank',
    icon: History,
    enabled: ({ site }) => site !== null || words.frame.noSite,
    run: openImports,
  },
];
