import type { DefineCommand } from '../../runtime/action-runner.ts';
import { defineAccountCommands } from './account-commands.ts';
import { defineImportCommands } from './import-commands.ts';
import { defineBankImportCommand } from './import-file.ts';
import { defineBankLineCommand } from './line-command.ts';
import { defineProfileCommands } from './profile-commands.ts';

export const defineBankCommands: DefineCommand = (command, handle) => {
  defineBankImportCommand(command, handle);
  defineImportCommands(command, handle);
  defineAccountCommands(command, handle);
  defineProfileCommands(command, handle);
  defineBankLineCommand(command, handle);
};
