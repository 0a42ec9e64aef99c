import type { BankLine } from '../../../contract/bank/bank-lines.ts';
import type { ContractOutputs } from '../../../contract/contract.ts';
import type { ProposedRule } from '../../../contract/matching/match-rules.ts';
import { CliError } from '../../errors/cli-error.ts';
import { formatMatchRuleAction, matchRuleColumns, proposedRuleColumns } from '../../formatters/matches.ts';
import { formatCount, formatMoney } from '../../output/format-values.ts';
import { flattenTextLines, sanitizeLine, type TextLines } from '../../output/terminal-text.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';

/** Maximum number of lines listed for each effect of a proposed rule. */
const MAX_LISTED_LINES = 200;

type RuleEffects = ContractOutputs['match']['tryRule'];

/** Defines the commands that list match rules, and show and save proposed ones. */
export const defineMatchRuleCommands: DefineCommand = (command) => {
  command
    .subcommand('rules', 'List your match rules in order of priority')
    .listOnSite(async ({ client, site, output }) => {
      await output.list({
        columns: matchRuleColumns,
        fields: ['id', 'position', 'title', 'enabled', 'conditions', 'action', 'groups'],
        pages: [{ rows: await client.match.rules({ site }), next: null }],
        empty: 'There are no match rules yet.',
      });
    });

  command
    .subcommand(
      'proposed-rules',
      'List rules proposed from identical decisions; none applies until you save it',
    )
    .listOnSite(async ({ client, site, output }) => {
      await output.list({
        columns: proposedRuleColumns,
        fields: ['id', 'title', 'conditions', 'action', 'decisions', 'right', 'wrong', 'lines'],
        pages: [{ rows: await client.match.proposedRules({ site }), next: null }],
        empty: 'No rules are proposed. A rule is proposed after two identical decisions.',
      });
    });

  command
    .subcommand('proposed-rule', 'Show the lines that a proposed rule would have assigned, right and wrong')
    .argument('<id>', 'ID of the proposed rule')
    .runOnSite(async (context, id: string) => {
      const { client, site, output } = context;
      const rule = await requireProposedRule(context, id);
      const { title, conditions, action } = rule;
      const input = { site, title, conditions, action, limit: MAX_LISTED_LINES };
      const effects = await client.match.tryRule(input);
      await output.document({ ...rule, effects }, () => formatProposedRule(rule, effects));
    });

  command
    .subcommand('save-proposed-rule', 'Save a proposed rule; it takes effect in the next matching run')
    .argument('<id>', 'ID of the proposed rule')
    .runOnSite(async (context, id: string) => {
      const { client, site, output } = context;
      const { title, conditions, action } = await requireProposedRule(context, id);
      const saved = await client.match.saveRule({ site, title, conditions, action });
      await output.document(saved, () => [`Rule ${saved.id} saved: ${sanitizeLine(saved.title)}.`]);
    });
};

async function requireProposedRule({ client, site }: SiteContext, id: string): Promise<ProposedRule> {
  const rule = (await client.match.proposedRules({ site })).find((proposed) => proposed.id === id);
  if (rule !== undefined) return rule;
  throw new CliError(
    'not_found',
    `There is no proposed rule ${id}.`,
    'List them with: tieout match proposed-rules',
  );
}

function formatProposedRule(rule: ProposedRule, { right, wrong, rows, lines }: RuleEffects): TextLines {
  const list = (title: string, count: number, listed: readonly BankLine[]) => [
    '',
    `${formatCount(count, 'line')} ${title}`,
    listed.map(
      ({ id, booked_on, amount_in_cents, description }) =>
        `  ${id}  ${booked_on}  ${formatMoney(amount_in_cents)}  ${description}`,
    ),
  ];
  return flattenTextLines([
    `${rule.title}: ${formatMatchRuleAction(rule)}, based on ${formatCount(rule.decisions, 'identical decision')}`,
    ...list('right: already assigned to this category', right?.count ?? 0, right?.rows ?? []),
    ...list(
      'wrong: another match, another category, or a declined or undone match',
      wrong?.count ?? 0,
      wrong?.rows ?? [],
    ),
    ...list('unmatched: would be assigned', lines, rows),
  ]).map(sanitizeLine);
}
