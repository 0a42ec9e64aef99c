import { allocationCommands } from '../allocations/commands.ts';
import { archiveCommands } from '../archive/commands.ts';
import { backupCommands } from '../backups/commands.ts';
import { bankCommands } from '../bank/commands.ts';
import type { Command } from '../commands/command.ts';
import { exceptionCommands } from '../exceptions/commands.ts';
import { exportCommands } from '../grid/export/commands.ts';
import { matchingCommands } from '../matching/commands.ts';
import { outageCommands } from '../outages/commands.ts';
import { overviewCommands } from '../overview/commands.ts';
import { pdfCommands } from '../pdf/commands.ts';
import { periodCommands } from '../periods/commands.ts';
import { replayCommands } from '../replay/commands.ts';
import { siteCommands } from '../sites/commands.ts';
import { statementCommands } from '../statements/commands.ts';
import { syncCommands } from '../sync/commands.ts';
import { webhookCommands } from '../webhooks/commands.ts';
import { appCommands } from './app-commands.ts';

export const allCommands: readonly Command[] = [
  ...overviewCommands,
  ...exceptionCommands,
  ...webhookCommands,
  ...outageCommands,
  ...replayCommands,
  ...statementCommands,
  ...pdfCommands,
  ...archiveCommands,
  ...allocationCommands,
  ...bankCommands,
  ...matchingCommands,
  ...periodCommands,
  ...backupCommands,
  ...syncCommands,
  ...siteCommands,
  ...exportCommands,
  ...appCommands,
];
