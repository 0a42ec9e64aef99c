import type { DefineCommand } from '../../runtime/cli-command.ts';
import { defineDecisionCommands } from './decision-commands.ts';
import { defineMatchViewCommands } from './match-view-commands.ts';
import { definePaymentCommands } from './payment-commands.ts';
import { defineMatchRunCommands } from './run-commands.ts';

export const defineMatchCommands: DefineCommand = (command) => {
  defineMatchRunCommands(command);
  defineMatchViewCommands(command);
  defineDecisionCommands(command);
  definePaymentCommands(command);
};
