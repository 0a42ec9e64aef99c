import type { CheckRule } from '../../../contract/checks/checks.ts';
import type { ExceptionRow } from '../../../contract/checks/exceptions.ts';
import type { Inputs } from '../../../contract/contract.ts';
import { usageError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { exceptionColumns } from '../../formatters/exceptions.ts';
import { parseMonth } from '../../input/options.ts';
import { formatCount, formatMoney, formatNumber } from '../../output/format-values.ts';
import { formatTableLines, type TableColumn } from '../../output/table.ts';
import { sanitizeLine } from '../../output/terminal-text.ts';
import type { CommandContext, DefineCommand } from '../../runtime/action-runner.ts';
import type { StoredSite } from '../../runtime/environment.ts';
import { completeJob, followJob } from '../../runtime/follow-job.ts';
import type { SiteSession } from '../../runtime/session.ts';
import { printUncheckedDataNote } from '../shared/completeness-notes.ts';

interface CheckOptions {
  readonly period?: string;
  readonly rule?: string;
}

interface RuleCount {
  readonly rule: string;
  readonly severity: CheckRule['severity'];
  readonly count: number;
}

export const defineCheckCommand: DefineCommand = (command, handle) => {
  command
    .option('--period <month>', 'only exceptions dated in this month, as YYYY-MM', parseMonth)
    .option('--rule <rule>', 'only exceptions of this rule, as listed by `tieout check rules`')
    .addHelpText(
      'after',
      '\nChecks all stored records. A sync checks the records it changes.\nExits with 1 if there are open exceptions, or if records are missing or unchecked.',
    )
    .action(
      handle(async (cli, options: CheckOptions) => {
        const opened = await cli.session.openSite();
        const { client, site } = opened;
        const rules = await client.check.rules({ site });
        const selected = selectRules(rules, options.rule);
        cli.interrupt.setMessage(
          'Stopped. Exceptions found so far are stored. Run the same command to check the rest.',
        );
        const { job } = await client.check.start({ site });
        await completeJob(cli, client, { site, job });
        return await printResults(cli, opened, selected, options);
      }),
    );

  command
    .command('rules')
    .description('List the rules with their open exceptions')
    .action(
      handle.list(async (cli) => {
        const { client, site } = await cli.session.openSite();
        const { checkRuleSchema } = await import('../../../contract/checks/checks.ts');
        await cli.output.list<CheckRule>({
          columns: ruleColumns,
          fields: Object.keys(checkRuleSchema.shape),
          pages: [{ rows: await client.check.rules({ site }), next: null }],
          empty: 'There are no rules.',
        });
      }),
    );

  for (const state of ['off', 'on'] as const) {
    command
      .command(state)
      .description(`Turn a rule ${state}`)
      .argument('<rule>', 'rule as listed by `tieout check rules`')
      .requiredOption('--reason <text>', 'reason for the audit log')
      .action(
        handle(async (cli, rule: string, { reason }: { reason: string }) => {
          const { client, site } = await cli.session.openSite();
          selectRules(await client.check.rules({ site }), rule);
          const { job } = await client.check.switch({ site, rule, off: state === 'off', reason });
          const check = job === null ? null : await followJob(cli, client, { site, job });
          if (cli.interrupt.signal.aborted) return exitCodes.interrupted;
          const now = (await client.check.rules({ site })).find((each) => each.rule === rule);
          const isChecked = check?.state === 'done';
          const nextStep = isChecked ? 'All records were checked.' : 'Check all records with: tieout check';
          await cli.output.document(now, () => [`Rule ${rule} is ${state}. ${nextStep}`]);
          return isChecked ? exitCodes.success : exitCodes.findings;
        }),
      );
  }
};

function selectRules(rules: readonly CheckRule[], rule: string | undefined): readonly CheckRule[] {
  if (rule === undefined) return rules.filter(({ enabled }) => enabled);
  const selected = rules.filter((each) => each.rule === rule);
  if (selected.length > 0) return selected;
  throw usageError(
    `Rule ${JSON.stringify(rule)} does not exist.`,
    `Available rules: ${rules.map((each) => each.rule).join(', ')}.`,
  );
}

type Filter = NonNullable<Inputs['exceptions']['list']['filter']>;

async function printResults(
  cli: CommandContext,
  { client, details: about }: SiteSession,
  rules: readonly CheckRule[],
  { period, rule }: CheckOptions,
): Promise<ExitCode> {
  const filter: Filter = {
    status: ['open'],
    ...(period === undefined ? {} : { period }),
    ...(rule === undefined ? {} : { rule: [rule] }),
  };
  const exceptions: ExceptionRow[] = [];
  let counts: RuleCount[] = [];
  for (let after: string | undefined; ; ) {
    const place = after === undefined ? {} : { after };
    const page = await client.exceptions.list({
      site: about.site,
      filter,
      limit: 1000,
      refs: true,
      ...place,
    });
    if (page.sums !== null) counts = countByRule(rules, page.sums.by_rule);
    exceptions.push(...page.rows);
    if (page.next === null) break;
    after = page.next;
  }
  const document = { rules: counts, exceptions: exceptions.map(toDocument) };
  const isComplete = await printUncheckedDataNote(cli, client, about.site);
  await cli.output.document(document, () => formatResults(about, counts, exceptions, isComplete));
  return exceptions.length === 0 && isComplete ? exitCodes.success : exitCodes.findings;
}

/** Counts exceptions per applied rule. A rule with exceptions of several severities gets one entry for each of them. */
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
  };
}

/** Maximum number of exceptions that are printed. */
const MAX_PRINTED = 50;

function formatResults(
  about: StoredSite,
  counts: readonly RuleCount[],
  exceptions: readonly ExceptionRow[],
  isComplete: boolean,
): readonly string[] {
  if (exceptions.length === 0) {
    const result = `${formatCount(counts.length, 'rule')} applied, no open exceptions`;
    return [
      isComplete
        ? `${result}.`
        : `${result} in the records that are stored and checked. Others are missing or unchecked.`,
    ];
  }
  const withExceptions = counts.filter((each) => each.count > 0);
  const atStake = exceptions.reduce((sum, { at_stake_in_cents }) => sum + at_stake_in_cents, 0);
  return [
    ...formatTableLines(countColumns, withExceptions),
    '',
    ...formatTableLines(exceptionColumns(about), exceptions.slice(0, MAX_PRINTED)),
    '',
    `${formatCount(exceptions.length, 'open exception')}, ${formatMoney(atStake)} ${about.currency} at stake.`,
    ...(exceptions.length > MAX_PRINTED ? ['List all with: tieout exceptions list --all'] : []),
    'For details, run: tieout exceptions show ID',
  ].map(sanitizeLine);
}

const countColumns: TableColumn<RuleCount>[] = [
  { header: 'rule', cell: ({ rule }) => rule },
  { header: 'severity', cell: ({ severity }) => severity },
  { header: 'open', cell: (each) => formatNumber(each.count), align: 'right' },
];

const ruleColumns: TableColumn<CheckRule>[] = [
  { header: 'rule', cell: ({ rule }) => rule },
  { header: 'severity', cell: ({ severity }) => severity },
  { header: 'title', cell: ({ title }) => title, minWidth: 16 },
  { header: 'open', cell: ({ open }) => (open === 0 ? '' : formatNumber(open)), align: 'right' },
  {
    header: 'accepted',
    cell: ({ accepted }) => (accepted === 0 ? '' : formatNumber(accepted)),
    align: 'right',
    isOptional: true,
  },
  { header: 'state', cell: ({ off, idle }) => (off ? `off: ${off.reason}` : (idle ?? 'on')), minWidth: 12 },
];
