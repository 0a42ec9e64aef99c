import type { DefineCommand } from '../../runtime/action-runner.ts';
import { defineDecisionCommands } from './decision-commands.ts';
import { defineMatchViewCommands } from './match-view-commands.ts';
import { definePaymentCommands } from './payment-commands.ts';
import { defineMatchRunCommands } from './run-commands.ts';

export const defineMatchCommands: DefineCommand = (command, handle) => {
  defineMatchRunCommands(command, handle);
  defineMatchViewCommands(command, handle);
  defineDecisionCommands(command, handle);
  definePaymentCommands(command, handle);
};
