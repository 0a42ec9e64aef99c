import { FileUp, History, ReceiptText } from 'lucide-react';
import { type Command, createCommandFactory, requireSite } from '../commands/command.ts';
import { openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { openBankImports, openBankStatements } from './bank-route.ts';

const bankCommand = createCommandFactory({ section: 'bank', enabled: requireSite });

export const bankCommands: readonly Command[] = [
  bankCommand(
    { id: 'bank.import', title: texts.bank.import, icon: FileUp, keys: ['I'], screens: ['bank'] },
    () => openDialog({ kind: 'importFile' }),
  ),
  bankCommand(
    { id: 'bank.statements', title: texts.bank.statements.title, icon: ReceiptText },
    openBankStatements,
  ),
  bankCommand({ id: 'bank.imports', title: texts.bank.imports, icon: History }, openBankImports),
];
