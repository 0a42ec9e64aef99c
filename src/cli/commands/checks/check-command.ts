import type { CheckRule } from '../../../contract/checks/checks.ts';
import type { ExceptionRow } from '../../../contract/checks/exceptions.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCodes, getSuccessExitCode } from '../../errors/exit-codes.ts';
import { exceptionColumns } from '../../formatters/exceptions.ts';
import { omitUndefined, parseMonth } from '../../input/options.ts';
import { formatCount, formatMoney } from '../../output/format-values.ts';
import { fetchPages } from '../../output/print-list.ts';
import { createCountColumn, formatTableLines, type TableColumn } from '../../output/table.ts';
import { flattenTextLines, sanitizeLine } from '../../output/terminal-text.ts';
import type { StoredSite } from '../../runtime/app-session.ts';
import type { DefineCommand, SiteContext } from '../../runtime/cli-command.ts';
import { followJob, waitForJob } from '../../runtime/follow-job.ts';
import { printUncheckedDataNote } from '../shared/completeness-notes.ts';

interface CheckOptions {
  readonly period?: string;
  readonly rule?: string;
}

interface RuleCount extends Pick<CheckRule, 'rule' | 'severity'> {
  readonly count: number;
}

export const defineCheckCommand: DefineCommand = (command) => {
  command
    .option('--period <month>', 'only exceptions dated in this month, as YYYY-MM', parseMonth)
    .option('--rule <rule>', 'only exceptions of this rule, as listed by `tieout check rules`')
    .addHelpText(
      'after',
      '\nChecks all stored records. A sync checks the records it changes.\nExits with 1 if there are open exceptions, or if records are missing or unchecked.',
    )
    .runOnSite(async (context, options: CheckOptions) => {
      const { client, site, interrupt } = context;
      const rules = selectRules(await client.check.rules({ site }), options.rule);
      interrupt.setMessage(
        'Stopped. Exceptions found so far are stored. Run the same command to check the rest.',
      );
      const { job } = await client.check.start({ site });
      await waitForJob(context, job);
      return await printResults(context, rules, options);
    });

  command
    .subcommand('rules', 'List the rules with their open exceptions')
    .listOnSite(async ({ client, site, output }) => {
      await output.list({
        columns: ruleColumns,
        fields: async () => (await import('../../../contract/checks/checks.ts')).checkRuleSchema,
        pages: [{ rows: await client.check.rules({ site }), next: null }],
        empty: 'There are no rules.',
      });
    });

  for (const state of ['off', 'on'] as const) {
    command
      .subcommand(state, `Turn a rule ${state}`)
      .argument('<rule>', 'rule as listed by `tieout check rules`')
      .reasonOption()
      .runOnSite((context, rule: string, { reason }: { reason: string }) =>
        switchRule(context, { rule, off: state === 'off', reason }),
      );
  }
};

async function switchRule(
  context: SiteContext,
  change: { readonly rule: string; readonly off: boolean; readonly reason: string },
): Promise<ExitCode> {
  const { client, site, output, interrupt } = context;
  selectRules(await client.check.rules({ site }), change.rule);
  const { job } = await client.check.switch({ site, ...change });
  const check = job === null ? null : await followJob(context, job);
  if (interrupt.signal.aborted) return exitCodes.interrupted;
  const changed = (await client.check.rules({ site })).find(({ rule }) => rule === change.rule);
  const isChecked = check?.state === 'done';
  const nextStep = isChecked ? 'All records were checked.' : 'Check all records with: tieout check';
  await output.document(changed, () => [`Rule ${change.rule} is ${change.off ? 'off' : 'on'}. ${nextStep}`]);
  return getSuccessExitCode(isChecked);
}

function selectRules(rules: readonly CheckRule[], rule: string | undefined): readonly CheckRule[] {
  if (rule === undefined) return rules.filter(({ enabled }) => enabled);
  const selected = rules.filter((each) => each.rule === rule);
  if (selected.length > 0) return selected;
  throw createUsageError(
    `Rule ${JSON.stringify(rule)} does not exist.`,
    `Available rules: ${rules.map((each) => each.rule).join(', ')}.`,
  );
}

async function printResults(
  context: SiteContext,
  rules: readonly CheckRule[],
  { period, rule }: CheckOptions,
): Promise<ExitCode> {
  const { client, site, details, output } = context;
  const filter = {
    status: ['open' as const],
    ...omitUndefined({ period, rule: rule === undefined ? rule : [rule] }),
  };
  const exceptions: ExceptionRow[] = [];
  let counts: RuleCount[] = [];
  const query = { site, filter, refs: true };
  for await (const page of fetchPages({ all: true }, (part) =>
    client.exceptions.list({ ...query, ...part }),
  )) {
    if (page.sums !== null) counts = countByRule(rules, page.sums.by_rule);
    exceptions.push(...page.rows);
  }
  const document = { rules: counts, exceptions: exceptions.map(toDocument) };
  const isComplete = await printUncheckedDataNote(context);
  await output.document(document, () => formatResults(details, counts, exceptions, isComplete));
  return getSuccessExitCode(exceptions.length === 0 && isComplete);
}

/** Counts the exceptions of each applied rule. A rule with several severities gets one count per severity. */
function countByRule(rules: readonly CheckRule[], counts: readonly RuleCount[]): RuleCount[] {
  return rules.flatMap(({ rule, severity }) => {
    const ofRule = counts.filter((each) => each.rule === rule);
    return ofRule.length === 0
      ? [{ rule, severity, count: 0 }]
      : ofRule.map((each) => ({ rule, severity: each.severity, count: each.count }));
  });
}

function toDocument(row: ExceptionRow) {
  const subject = Object.fromEntries(Object.entries(row.subject).filter(([, id]) => id !== null));
  return {
    id: row.id,
    rule: row.rule,
    severity: row.severity,
    subject,
    expected: row.expected_in_cents,
    actual: row.actual_in_cents,
    difference_in_cents: row.difference_in_cents,
    message: row.message,
    rows: row.refs ?? [],
    ...(row.members.length > 0 && { members: row.members }),
  };
}

/** Maximum number of exceptions that are printed. Chosen by judgment. */
const MAX_PRINTED = 50;

function formatResults(
  site: StoredSite,
  counts: readonly RuleCount[],
  exceptions: readonly ExceptionRow[],
  isComplete: boolean,
): readonly string[] {
  if (exceptions.length === 0) {
    const result = `${formatCount(counts.length, 'rule')} applied, no open exceptions`;
    if (isComplete) return [`${result}.`];
    return [`${result} in the records that are stored and checked. Other records are missing or unchecked.`];
  }
  const withExceptions = counts.filter((each) => each.count > 0);
  const atStake = exceptions.reduce((sum, { at_stake_in_cents }) => sum + at_stake_in_cents, 0);
  return flattenTextLines([
    formatTableLines(countColumns, withExceptions),
    '',
    formatTableLines(exceptionColumns(site), exceptions.slice(0, MAX_PRINTED)),
    '',
    `${formatCount(exceptions.length, 'open exception')}, ${formatMoney(atStake)} ${site.currency} at stake.`,
    exceptions.length > MAX_PRINTED && 'List all with: tieout exceptions list --all',
    'For details, run: tieout exceptions show ID',
  ]).map(sanitizeLine);
}

const countColumns: TableColumn<RuleCount>[] = [
  { header: 'rule', cell: ({ rule }) => rule },
  { header: 'severity', cell: ({ severity }) => severity },
  createCountColumn('open', ({ count }) => count),
];

const ruleColumns: TableColumn<CheckRule>[] = [
  { header: 'rule', cell: ({ rule }) => rule },
  { header: 'severity', cell: ({ severity }) => severity },
  { header: 'title', cell: ({ title }) => title, minWidth: 16 },
  createCountColumn('open', ({ open }) => open || null),
  createCountColumn('accepted', ({ accepted }) => accepted || null, { isOptional: true }),
  { header: 'state', cell: ({ off, idle }) => (off ? `off: ${off.reason}` : (idle ?? 'on')), minWidth: 12 },
];
