import { FileUp, History } from 'lucide-react';
import type { Command } from '../commands/command.ts';
import { openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { openImports } from './route.ts';

export const bankCommands: readonly Command[] = [
  {
    id: 'bank.import',
    title: texts.bank.import,
    section: 'bank',
    icon: FileUp,
    keys: ['I'],
    screens: ['bank'],
    enabled: ({ site }) => site !== null || texts.frame.noSite,
    run: () => openDialog({ kind: 'importFile' }),
  },
  {
    id: 'bank.imports',
    title: texts.bank.imports,
    section: 'bank',
    icon: History,
    enabled: ({ site }) => site !== null || texts.frame.noSite,
    run: openImports,
  },
];
