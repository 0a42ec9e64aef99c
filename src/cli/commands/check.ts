import type { CheckRule } from '../../contract/checks.ts';
import type { Client, Inputs } from '../../contract/contract.ts';
import type { ExceptionRow } from '../../contract/exceptions.ts';
import type { Cli, Site } from '../act.ts';
import { type Exit, exit } from '../exit.ts';
import { failureOf, wrongUsage } from '../failure.ts';
import { followJob } from '../follow.ts';
import { month } from '../input/options.ts';
import { count, counted, money } from '../output/figures.ts';
import { type Column, tableLines } from '../output/table.ts';
import { printable } from '../output/text.ts';
import { sayUnchecked } from '../stands-on.ts';
import type { Define } from '../verbs.ts';
import { exceptionColumns } from '../words/exceptions.ts';

interface CheckOptions {
  readonly period?: string;
  readonly rule?: string;
}

interface RuleCount {
  readonly rule: string;
  readonly severity: CheckRule['severity'];
  readonly count: number;
}

export const define: Define = (command, act) => {
  command
    .option('--period <month>', 'only what is dated in this month, as 2026-10', month)
    .option('--rule <rule>', 'only what this rule finds; see: tieout check rules')
    .addHelpText(
      'after',
      '\nChecks everything that is held; a sync checks what it changed by itself. Ends with 1 where exceptions are open, or not everything is held and checked.',
    )
    .action(
      act(async (cli, options: CheckOptions) => {
        const { client, site, about } = await cli.session.local();
        const rules = await client.check.rules({ site });
        const wanted = wantedRules(rules, options.rule);
        cli.stop.onStop('Stopped; what was found is kept. Run the same command to check the rest.');
        const { job } = await client.check.start({ site });
        const { error } = await followJob(cli, client, { site, job });
        if (cli.stop.signal.aborted) return exit.interrupted;
        if (error !== null) throw failureOf(error);
        return await report(cli, client, about, wanted, options);
      }),
    );

  command
    .command('rules')
    .description('The rules: what each looks for, and which are switched off.')
    .action(
      act.list(async (cli) => {
        const { client, site } = await cli.session.local();
        const { checkRule } = await import('../../contract/checks.ts');
        await cli.out.list<CheckRule>({
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
      .requiredOption('--reason <text>', 'why')
      .action(
        act(async (cli, rule: string, { reason }: { reason: string }) => {
          const { client, site } = await cli.session.local();
          wantedRules(await client.check.rules({ site }), rule);
          const { job } = await client.check.switch({ site, rule, off: verb === 'off', reason });
          const ended = job === null ? null : await followJob(cli, client, { site, job });
          if (cli.stop.signal.aborted) return exit.interrupted;
          const now = (await client.check.rules({ site })).find((each) => each.rule === rule);
          const anew = ended?.state === 'done';
          const said = anew ? 'everything was checked anew.' : 'check everything anew with: tieout check';
          await cli.out.document(now, () => [`${rule} is ${verb}; ${said}`]);
          return anew ? exit.done : exit.found;
        }),
      );
  }
};

function wantedRules(rules: readonly CheckRule[], rule: string | undefined): readonly CheckRule[] {
  if (rule === undefined) return rules.filter(({ enabled }) => enabled);
  const found = rules.filter((each) => each.rule === rule);
  if (found.length > 0) return found;
  throw wrongUsage(
    `There is no rule ${JSON.stringify(rule)}.`,
    `The rules are: ${rules.map((each) => each.rule).join(', ')}.`,
  );
}

type Filter = NonNullable<Inputs['exceptions']['list']['filter']>;

async function report(
  cli: Cli,
  client: Client,
  about: Site,
  rules: readonly CheckRule[],
  { period, rule }: CheckOptions,
): Promise<Exit> {
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
  const isWhole = await sayUnchecked(cli, client, about.site);
  await cli.out.document(document, () => lines(about, counts, exceptions, isWhole));
  return exceptions.length === 0 && isWhole ? exit.done : exit.found;
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
  about: Site,
  counts: readonly RuleCount[],
  exceptions: readonly ExceptionRow[],
  isWhole: boolean,
): readonly string[] {
  if (exceptions.length === 0) {
    const found = `${counted(counts.length, 'rule')} found no open exception`;
    return [isWhole ? `In order: ${found}.` : `${found} in what is held and was checked, which is not all.`];
  }
  const found = counts.filter((each) => each.count > 0);
  const stake = exceptions.reduce((sum, { at_stake_in_cents }) => sum + at_stake_in_cents, 0);
  return [
    ...tableLines(countColumns, found),
    '',
    ...tableLines(exceptionColumns(about), exceptions.slice(0, READ)),
    '',
    `${counted(exceptions.length, 'open exception')}, ${money(stake)} ${about.currency} at stake.`,
    ...(exceptions.length > READ ? ['The others: tieout exceptions list --all'] : []),
    'Look into one with: tieout exceptions show ID',
  ].map(printable);
}

const countColumns: Column<RuleCount>[] = [
  { header: 'rule', cell: ({ rule }) => rule },
  { header: 'severity', cell: ({ severity }) => severity },
  { header: 'open', cell: (each) => count(each.count), align: 'right' },
];

const ruleColumns: Column<CheckRule>[] = [
  { header: 'rule', cell: ({ rule }) => rule },
  { header: 'severity', cell: ({ severity }) => severity },
  { header: 'title', cell: ({ title }) => title, least: 16 },
  { header: 'open', cell: ({ open }) => (open === 0 ? '' : count(open)), align: 'right' },
  {
    header: 'accepted',
    cell: ({ accepted }) => (accepted === 0 ? '' : count(accepted)),
    align: 'right',
    spare: true,
  },
  { header: 'state', cell: ({ off, idle }) => (off ? `off: ${off.reason}` : (idle ?? 'on')), least: 12 },
];
