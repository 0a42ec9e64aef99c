import type { Client, Inputs } from '../../../contract/contract.ts';
import type { MatchGroup } from '../../../contract/matching/match-groups.ts';
import { usageError } from '../../errors/cli-error.ts';
import { collectIntegers, collectWords, createIntegerParser, omitUndefined } from '../../input/options.ts';
import { formatCount } from '../../output/format-values.ts';
import type { CommandContext, DefineCommand } from '../../runtime/action-runner.ts';

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

export const defineDecisionCommands: DefineCommand = (command, handle) => {
  for (const [name, description, result] of [
    ['confirm', 'Confirm suggested or ambiguous matches', 'confirmed'],
    ['decline', 'Decline matches, so that they are not suggested again', 'declined'],
  ] as const) {
    command
      .command(name)
      .description(description)
      .argument('<ids...>', 'IDs of the matches', collectIntegers)
      .option('--reason <text>', 'reason for the audit log')
      .action(
        handle((cli, ids: number[], { reason }: { reason?: string }) =>
          decide(cli, result, (client, site) =>
            client.match[name]({ site, ids, ...omitUndefined({ reason }) }),
          ),
        ),
      );
  }

  command
    .command('undo')
    .description('Undo confirmed or declined matches')
    .argument('<ids...>', 'IDs of the matches', collectIntegers)
    .requiredOption('--reason <text>', 'reason for the audit log')
    .action(
      handle((cli, ids: number[], { reason }: { reason: string }) =>
        decide(cli, 'undone', (client, site) => client.match.undo({ site, ids, reason })),
      ),
    );

  command
    .command('confirm-rule')
    .description('Confirm all matches that a rule suggested')
    .argument('<rule>', 'rule, for example payee')
    .action(
      handle(async (cli, rule: string) => {
        const { client, site } = await cli.session.openSite();
        const result = await client.match.acceptRule({ site, rule });
        const { confirmed, left } = result;
        await cli.output.document(result, () => [
          `${formatCount(confirmed, 'match', 'matches')} confirmed${left === 0 ? '' : `, ${left} could not be confirmed`}.`,
        ]);
      }),
    );

  defineManualMatchCommands(command, handle);
};

const defineManualMatchCommands: DefineCommand = (command, handle) => {
  command
    .command('make')
    .description('Match bank lines and payments manually; ID=CENTS matches only a part of an amount')
    .option('--lines <ids>', 'IDs of the bank lines, comma-separated', collectWords)
    .option('--transactions <ids>', 'transaction IDs of the payments, comma-separated', collectWords)
    .option('--adjust <category=cents>', 'assign a difference to a category (repeatable)', collectWords)
    .option('--reason <text>', 'reason for the audit log (required with --adjust)')
    .action(
      handle((cli, options: MakeOptions) =>
        decide(cli, 'created', async (client, site) => [
          await client.match.make({ site, ...parseManualMatch(options) }),
        ]),
      ),
    );

  command
    .command('categorize')
    .description('Assign the open amounts of bank lines or payments to a category instead of a match')
    .option('--lines <ids>', 'IDs of the bank lines, comma-separated', collectWords)
    .option('--transactions <ids>', 'transaction IDs of the payments, comma-separated', collectWords)
    .requiredOption('--category <category>', 'category, for example fee, or ignored for out of scope')
    .requiredOption('--reason <text>', 'reason for the audit log')
    .action(
      handle((cli, { lines, transactions, category, reason }: CategorizeOptions) =>
        decide(cli, 'created', (client, site) =>
          client.match.writeOff({
            site,
            lines: (lines ?? []).map(createIntegerParser(1)),
            transactions: (transactions ?? []).map(createIntegerParser()),
            category,
            reason,
          }),
        ),
      ),
    );
};

function parseManualMatch({
  lines,
  transactions,
  adjust,
  reason,
}: MakeOptions): Omit<Inputs['match']['make'], 'site'> {
  if (adjust !== undefined && reason === undefined) {
    throw usageError('An adjustment requires a reason.', 'Add --reason TEXT.');
  }
  return {
    lines: (lines ?? []).map(parseShare),
    transactions: (transactions ?? []).map(parseShare),
    adjustments: (adjust ?? []).map((text) => {
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
  throw usageError(
    `“${option}” does not contain an amount in cents.`,
    'Enter an integer after the =, for example fee=-150.',
  );
}

async function decide(
  cli: CommandContext,
  result: string,
  send: (client: Client, site: string) => Promise<MatchGroup[]>,
): Promise<void> {
  const { client, site } = await cli.session.openSite();
  const matches = await send(client, site);
  await cli.output.document({ matches }, () => [
    `${formatCount(matches.length, 'match', 'matches')} ${result}: ${matches.map(({ id }) => id).join(', ')}.`,
  ]);
}
