import type { DefineCommand } from '../../runtime/action-runner.ts';
import { definePlanCommands } from './plan-commands.ts';
import { defineReplayReportCommands } from './report-commands.ts';
import { defineReplayRunCommands } from './run-commands.ts';

export const defineReplayCommands: DefineCommand = (command, handle) => {
  definePlanCommands(command, handle);
  defineReplayRunCommands(command, handle);
  defineReplayReportCommands(command, handle);
};
