import type { CheckRule } from '../../../contract/checks/checks.ts';
import type { ExceptionRow } from '../../../contract/checks/exceptions.ts';
import type { Client, Inputs } from '../../../contract/contract.ts';
import { toCliError, usageError } from '../../errors/cli-error.ts';
import { type ExitCode, exitCode } from '../../errors/exit-codes.ts';
import { exceptionColumns } from '../../formatters/exceptions.ts';
import { parseMonth } from '../../input/options.ts';
import { formatCount, formatMoney, formatNumber } from '../../output/format-values.ts';
import { type Column, formatTableLines } from '../../output/table.ts';
import { sanitizeLine } from '../../output/terminal-text.ts';
import type { CommandContext, DefineCommand } from '../../runtime/action-runner.ts';
import type { StoredSite } from '../../runtime/environment.ts';
import { followJob } from '../../runtime/follow-job.ts';
import { noteUncheckedData } from '../shared/completeness-notes.ts';

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
    .option('--period <month>', 'only what is dated in this month, as 2026-10', parseMonth)
    .option('--rule <rule>', 'only what this rule finds; see: tieout check rules')
    .addHelpText(
      'after',
      '\nChecks everything that is held; a sync checks what it changed by itself. Ends with 1 where exceptions are open, or not everything is held and checked.',
    )
    .action(
      handle(async (cli, options: CheckOptions) => {
        const { client, site, details } = await cli.session.openSite();
        const rules = await client.check.rules({ site });
        const wanted = wantedRules(rules, options.rule);
        cli.interrupt.setMessage('Stopped; what was found is kept. Run the same command to check the rest.');
        const { job } = await client.check.start({ site });
        const { error } = await followJob(cli, client, { site, job });
        if (cli.interrupt.signal.aborted) return exitCode.interrupted;
        if (error !== null) throw toCliError(error);
        return await report(cli, client, details, wanted, options);
      }),
    );

  command
    .command('rules')
    .description('The rules: what each looks for, and which are switched off.')
    .action(
      handle.list(async (cli) => {
        const { client, site } = await cli.session.openSite();
        const { checkRule } = await import('../../../contract/checks/checks.ts');
        await cli.output.list<CheckRule>({
          columns: ruleColumns,
          fields: Object.keys(checkRule.shape),
          pages: [{ rows: await client.check.rules({ site }), next: null }],
          empty: 'There are no rules.',
        });
      }),
    );

  for (const verb of ['off', 'on'] as const) {
    command
      .command(verb)
      .description(`Switch a rule ${verb}, with the reason; it goes to the audit log.`)
      .argument('<rule>', 'the rule')
      .requiredOption('--reason <text>', 'reason')
      .action(
        handle(async (cli, rule: string, { reason }: { reason: string }) => {
          const { client, site } = await cli.session.openSite();
          wantedRules(await client.check.rules({ site }), rule);
          const { job } = await client.check.switch({ site, rule, off: verb === 'off', reason });
          const ended = job === null ? null : await followJob(cli, client, { site, job });
          if (cli.interrupt.signal.aborted) return exitCode.interrupted;
          const now = (await client.check.rules({ site })).find((each) => each.rule === rule);
          const anew = ended?.state === 'done';
          const said = anew ? 'everything was checked anew.' : 'check everything anew with: tieout check';
          await cli.output.document(now, () => [`${rule} is ${verb}; ${said}`]);
          return anew ? exitCode.success : exitCode.findings;
        }),
      );
  }
};

function wantedRules(rules: readonly CheckRule[], rule: string | undefined): readonly CheckRule[] {
  if (rule === undefined) return rules.filter(({ enabled }) => enabled);
  const found = rules.filter((each) => each.rule === rule);
  if (found.length > 0) return found;
  throw usageError(
    `There is no rule ${JSON.stringify(rule)}.`,
    `The rules are: ${rules.map((each) => each.rule).join(', ')}.`,
  );
}

type Filter = NonNullable<Inputs['exceptions']['list']['filter']>;

async function report(
  cli: CommandContext,
  client: Client,
  about: StoredSite,
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
    if (page.sums !== null) counts = countsOf(rules, page.sums.by_rule);
    exceptions.push(...page.rows);
    if (page.next === null) break;
    after = page.next;
  }
  const document = { rules: counts, exceptions: exceptions.map(shown) };
  const isWhole = await noteUncheckedData(cli, client, about.site);
  await cli.output.document(document, () => lines(about, counts, exceptions, isWhole));
  return exceptions.length === 0 && isWhole ? exitCode.success : exitCode.findings;
}

/** Every rule that was applied; one that found exceptions of several severities comes once for each. */
function countsOf(rules: readonly CheckRule[], found: readonly RuleCount[]): RuleCount[] {
  return rules.flatMap(({ rule, severity }) => {
    const of = found.filter((each) => each.rule === rule);
    return of.length === 0
      ? [{ rule, severity, count: 0 }]
      : of.map((each) => ({ rule, severity: each.severity, count: each.count }));
  });
}

function shown(row: ExceptionRow) {
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

/** So many exceptions are read in a terminal. */
const READ = 50;

function lines(
  about: StoredSite,
  counts: readonly RuleCount[],
  exceptions: readonly ExceptionRow[],
  isWhole: boolean,
): readonly string[] {
  if (exceptions.length === 0) {
    const found = `${formatCount(counts.length, 'rule')} found no open exception`;
    return [isWhole ? `In order: ${found}.` : `${found} in what is held and was checked, which is not all.`];
  }
  const found = counts.filter((each) => each.count > 0);
  const stake = exceptions.reduce((sum, { at_stake_in_cents }) => sum + at_stake_in_cents, 0);
  return [
    ...formatTableLines(countColumns, found),
    '',
    ...formatTableLines(exceptionColumns(about), exceptions.slice(0, READ)),
    '',
    `${formatCount(exceptions.length, 'open exception')}, ${formatMoney(stake)} ${about.currency} at stake.`,
    ...(exceptions.length > READ ? ['The others: tieout exceptions list --all'] : []),
    'Look into one with: tieout exceptions show ID',
  ].map(sanitizeLine);
}

const countColumns: Column<RuleCount>[] = [
  { header: 'rule', cell: ({ rule }) => rule },
  { header: 'severity', cell: ({ severity }) => severity },
  { header: 'open', cell: (each) => formatNumber(each.count), align: 'right' },
];

const ruleColumns: Column<CheckRule>[] = [
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
