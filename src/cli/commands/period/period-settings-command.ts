import type { WorkpaperSettings } from '../../../contract/periods/workpapers.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { readTextInput } from '../../input/input-files.ts';
import { omitUndefined } from '../../input/options.ts';
import type { TextLines } from '../../output/terminal-text.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';
import { formatStatements } from './certification-options.ts';

interface SettingsOptions {
  readonly statements?: string;
  readonly requireStatements?: 'yes' | 'no';
  readonly selfReview?: WorkpaperSettings['self_review'];
}

export const definePeriodSettingsCommand: DefineCommand = (command) => {
  command
    .subcommand('settings', 'Show or change the certification statements and sign-off policy of a site')
    .option('--statements <file>', 'text file with the new statements (- for stdin)')
    .choiceOption('--require-statements <answer>', 'refuse a sign-off with a statement not confirmed', [
      'yes',
      'no',
    ])
    .choiceOption('--self-review <policy>', 'allow self-reviews that are explained, or refuse them', [
      'explained',
      'refused',
    ])
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
  { certification }: WorkpaperSettings,
  { statements, requireStatements, selfReview }: SettingsOptions,
): Promise<Partial<WorkpaperSettings>> {
  const edited = {
    ...certification,
    ...(statements === undefined ? {} : { statements: parseStatements(await readTextInput(statements)) }),
    ...(requireStatements === undefined ? {} : { required: requireStatements === 'yes' }),
  };
  const isEdited = statements !== undefined || requireStatements !== undefined;
  return { ...(isEdited ? { certification: edited } : {}), ...omitUndefined({ self_review: selfReview }) };
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

const formatSettings = ({ certification, self_review }: WorkpaperSettings): TextLines => [
  formatStatements(certification),
  certification.required
    ? 'A sign-off is refused while a statement is not confirmed.'
    : 'A statement that is not confirmed is reported with the sign-off.',
  self_review === 'refused'
    ? 'Self-reviews are refused. Preparer and reviewer must sign with keys of different computers.'
    : 'Self-reviews are allowed with a reason.',
];
