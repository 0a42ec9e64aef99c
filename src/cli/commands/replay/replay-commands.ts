import type { DefineCommand } from '../../runtime/cli-command.ts';
import { definePlanCommands } from './plan-commands.ts';
import { defineReplayReportCommands } from './report-commands.ts';
import { defineReplayRunCommands } from './run-commands.ts';

export const defineReplayCommands: DefineCommand = (command) => {
  definePlanCommands(command);
  defineReplayRunCommands(command);
  defineReplayReportCommands(command);
};
