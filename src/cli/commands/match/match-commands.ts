import type { DefineCommand } from '../../runtime/cli-command.ts';
import { defineCategoryCommands } from './category-commands.ts';
import { defineMatchDecisionCommands } from './match-decision-commands.ts';
import { defineMatchQueryCommands } from './match-query-commands.ts';
import { defineMatchRuleCommands } from './match-rule-commands.ts';
import { defineMatchRunCommands } from './match-run-commands.ts';
import { defineMatchVerifyCommand } from './match-verify-command.ts';
import { definePaymentCommands } from './payment-commands.ts';
import { defineTrailCommand } from './trail-command.ts';

export const defineMatchCommands: DefineCommand = (command) => {
  defineMatchRunCommands(command);
  defineMatchQueryCommands(command);
  defineMatchDecisionCommands(command);
  defineMatchVerifyCommand(command);
  definePaymentCommands(command);
  defineTrailCommand(command);
  defineCategoryCommands(command);
  defineMatchRuleCommands(command);
};
