import type { ContractInputs } from '../../../contract/contract.ts';
import type { MatchGroup } from '../../../contract/matching/match-groups.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { createIntegerParser, omitUndefined, parseIntegerList, parseWordList } from '../../input/options.ts';
import { formatCount } from '../../output/format-values.ts';
import type { CliCommand, DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { printMatchDecision } from '../shared/print-match-decision.ts';

interface MatchItemOptions {
  readonly lines?: string[];
  readonly transactions?: string[];
}

interface MakeOptions extends MatchItemOptions {
  readonly adjust?: string[];
  readonly reason?: string;
}

interface CategorizeOptions extends MatchItemOptions {
  readonly category: string;
  readonly reason: string;
}

export const defineMatchDecisionCommands: DefineCommand = (command) => {
  for (const [name, description, result] of [
    ['confirm', 'Confirm suggested or ambiguous matches', 'confirmed'],
    ['decline', 'Decline matches, so that they are not suggested again', 'declined'],
    ['undo', 'Undo confirmed or declined matches', 'undone'],
  ] as const) {
    command
      .subcommand(name, description)
      .argument('<ids...>', 'IDs of the matches', parseIntegerList)
      .reasonOption({ isRequired: name === 'undo' })
      .runOnSite(async (context, ids: number[], options: { reason: string }) => {
        const { client, site } = context;
        await printMatches(context, await client.match[name]({ site, ids, ...options }), result);
      });
  }

  command
    .subcommand('confirm-rule', 'Confirm all matches that one matching pass suggested')
    .argument('<rule>', 'matching pass, for example payee')
    .runOnSite(async ({ client, site, output }, rule: string) => {
      const result = await client.match.acceptRule({ site, rule });
      const { confirmed, left } = result;
      await output.document(result, () => [
        `${formatCount(confirmed, 'match', 'matches')} confirmed${left === 0 ? '' : `, ${left} could not be confirmed`}.`,
      ]);
    });

  command
    .subcommand('make', 'Match bank lines and payments manually; ID=CENTS matches only a part of an amount')
    .with(addMatchItemOptions)
    .option('--adjust <category=cents>', 'assign a difference to a category (repeatable)', parseWordList)
    .option('--reason <text>', 'reason for the audit log (required with --adjust)')
    .runOnSite(async (context, options: MakeOptions) => {
      const { client, site } = context;
      const match = await client.match.make({ site, ...parseManualMatch(options) });
      await printMatches(context, [match], 'created');
    });

  command
    .subcommand(
      'categorize',
      'Assign the open amounts of bank lines or payments to a category instead of a match',
    )
    .with(addMatchItemOptions)
    .requiredOption('--category <category>', 'category, for example fee; use ignored for out of scope')
    .reasonOption()
    .runOnSite(async (context, { lines = [], transactions = [], ...options }: CategorizeOptions) => {
      const { client, site } = context;
      const matches = await client.match.writeOff({
        site,
        lines: lines.map(createIntegerParser(1)),
        transactions: transactions.map(createIntegerParser()),
        ...options,
      });
      await printMatches(context, matches, 'created');
    });
};

function addMatchItemOptions(command: CliCommand): void {
  command
    .option('--lines <ids>', 'IDs of the bank lines, comma-separated', parseWordList)
    .option('--transactions <ids>', 'transaction IDs of the payments, comma-separated', parseWordList);
}

const printMatches = (context: SiteContext, matches: MatchGroup[], result: string) =>
  printMatchDecision(context, { matches }, ['match', 'matches'], result);

function parseManualMatch(options: MakeOptions): Omit<ContractInputs['match']['make'], 'site'> {
  const { lines = [], transactions = [], adjust = [], reason } = options;
  if (options.adjust && reason === undefined) {
    throw createUsageError('An adjustment requires a reason.', 'Add --reason TEXT.');
  }
  return {
    lines: lines.map(parseShare),
    transactions: transactions.map(parseShare),
    adjustments: adjust.map((text) => {
      const [category, cents] = text.split('=') as [string, string | undefined];
      return { category, amount_in_cents: parseCents(cents, text), reason: reason ?? '' };
    }),
    ...omitUndefined({ reason }),
  };
}

function parseShare(text: string): { id: number; allocated_in_cents?: number } {
  const [id, cents] = text.split('=') as [string, string | undefined];
  return {
    id: createIntegerParser()(id),
    ...(cents === undefined ? {} : { allocated_in_cents: parseCents(cents, text) }),
  };
}

function parseCents(text: string | undefined, option: string): number {
  if (text !== undefined && /^-?\d{1,15}$/.test(text)) return Number(text);
  throw createUsageError(
    `“${option}” does not contain an amount in cents.`,
    'Enter an integer after the =, for example fee=-150.',
  );
}
