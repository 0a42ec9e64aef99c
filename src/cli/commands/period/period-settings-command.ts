import type { WorkpaperSettings } from '../../../contract/periods/workpapers.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { readTextInput } from '../../input/input-files.ts';
import { omitUndefined, parseWordList } from '../../input/options.ts';
import { formatMoney } from '../../output/format-values.ts';
import type { TextLines } from '../../output/terminal-text.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { formatStatements } from './certification-options.ts';

interface SettingsOptions {
  readonly statements?: string;
  readonly requireStatements?: 'yes' | 'no';
  readonly selfReview?: WorkpaperSettings['self_review'];
  readonly threshold?: string[];
  readonly suspendOn?: WorkpaperSettings['suspend_on'];
}

export const definePeriodSettingsCommand: DefineCommand = (command) => {
  command
    .subcommand(
      'settings',
      'Show or change the certification statements, materiality and sign-off policy of a site',
    )
    .option('--statements <file>', 'text file with the new statements (- for stdin)')
    .choiceOption('--require-statements <answer>', 'refuse a sign-off if a statement is not confirmed', [
      'yes',
      'no',
    ])
    .choiceOption('--self-review <policy>', 'allow self-reviews with a reason, or refuse them', [
      'explained',
      'refused',
    ])
    .option(
      '--threshold <threshold>',
      'largest open amount of a schedule that passes as immaterial, for example S2:USD=25.00; 0 removes it (repeatable)',
      parseWordList,
    )
    .choiceOption(
      '--suspend-on <changes>',
      'changes since sign-off that suspend the sign-off of periods closed from now on',
      [...(['never', 'material', 'any'] as const)],
    )
    .addHelpText(
      'after',
      '\nThe file has one statement per line, after the role that confirms it, for example:' +
        '\n  preparer: I checked every outstanding item.' +
        '\n  reviewer: I traced ten figures to their sources.',
    )
    .runOnSite(async ({ client, site, output }, options: SettingsOptions) => {
      const stored = await client.workpapers.settings({ site });
      const changed = await readChanges(stored, options);
      const settings =
        Object.keys(changed).length === 0
          ? stored
          : await client.workpapers.saveSettings({ site, settings: changed });
      await output.document(settings, () => formatSettings(settings));
    });
};

async function readChanges(
  { certification, thresholds }: WorkpaperSettings,
  { statements, requireStatements, selfReview, threshold, suspendOn }: SettingsOptions,
): Promise<Partial<WorkpaperSettings>> {
  const edited = {
    ...certification,
    ...(statements === undefined ? {} : { statements: parseStatements(await readTextInput(statements)) }),
    ...(requireStatements === undefined ? {} : { required: requireStatements === 'yes' }),
  };
  const isEdited = statements !== undefined || requireStatements !== undefined;
  return {
    ...(isEdited ? { certification: edited } : {}),
    ...(threshold === undefined ? {} : { thresholds: threshold.reduce(setThreshold, thresholds) }),
    ...omitUndefined({ self_review: selfReview, suspend_on: suspendOn }),
  };
}

type Thresholds = WorkpaperSettings['thresholds'];

/** Returns the thresholds with a change such as `S2:USD=25.00`. An amount of 0 removes a threshold. Throws `validation` for other text. */
function setThreshold(thresholds: Thresholds, change: string): Thresholds {
  const [, schedule = '', currency = '', units = '', decimals = '00'] =
    /^(S\d+(?:-\d+)?):([A-Z]{3})=(\d{1,12})(?:\.(\d{2}))?$/.exec(change) ?? [];
  if (schedule === '')
    throw createUsageError(
      `${change} is not a threshold.`,
      'Enter a schedule, a currency and an amount with two decimals, for example S2:USD=25.00.',
    );
  const amount_in_cents = Number(units + decimals);
  const others = thresholds.filter((each) => each.schedule !== schedule || each.currency !== currency);
  return amount_in_cents === 0 ? others : [...others, { schedule, currency, amount_in_cents }];
}

const roles: Readonly<Record<string, 'prepared' | 'reviewed'>> = {
  preparer: 'prepared',
  reviewer: 'reviewed',
};

/** Parses the statements of a file. Throws `validation` for a line without a role. */
function parseStatements(text: string): WorkpaperSettings['certification']['statements'] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    if (line.trim() === '') return [];
    const [, role = '', statement = ''] = /^\s*(\w+)\s*:\s*(.+?)\s*$/u.exec(line) ?? [];
    if (roles[role] === undefined)
      throw createUsageError(
        `Line ${at + 1} of the statements does not start with preparer: or reviewer:`,
        'Write the role before each statement.',
      );
    return [{ role: roles[role], text: statement }];
  });
}

const suspensionTexts: Readonly<Record<WorkpaperSettings['suspend_on'], string>> = {
  never: 'Changes since sign-off do not suspend a sign-off.',
  material:
    'Changes since sign-off suspend a sign-off if they exceed the lowest threshold of their currency, or 0.00 without one.',
  any: 'Any change since sign-off suspends a sign-off.',
};

const formatSettings = ({
  certification,
  self_review,
  thresholds,
  suspend_on,
}: WorkpaperSettings): TextLines => [
  formatStatements(certification),
  certification.required
    ? 'A sign-off is refused while a statement is not confirmed.'
    : 'A statement that is not confirmed is reported with the sign-off.',
  self_review === 'refused'
    ? 'Self-reviews are refused. Preparer and reviewer must sign with keys from different computers.'
    : 'Self-reviews are allowed with a reason.',
  thresholds.length === 0
    ? 'No materiality thresholds.'
    : 'Differences and unexplained items pass as immaterial up to:',
  thresholds.map(
    ({ schedule, currency, amount_in_cents }) =>
      `   ${schedule}  ${formatMoney(amount_in_cents)} ${currency}`,
  ),
  suspensionTexts[suspend_on],
];
