import type { DefineCommand } from '../../runtime/cli-command.ts';
import { defineReplayPlanCommands } from './replay-plan-commands.ts';
import { defineReplayReportCommands } from './replay-report-commands.ts';
import { defineReplayRunCommands } from './replay-run-commands.ts';

export const defineReplayCommands: DefineCommand = (command) => {
  defineReplayPlanCommands(command);
  defineReplayRunCommands(command);
  defineReplayReportCommands(command);
};
