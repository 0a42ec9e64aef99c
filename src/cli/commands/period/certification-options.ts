import type { Certification } from '../../../contract/periods/certification.ts';
import { type CertificationRole, listStatementTexts } from '../../../domain/periods/certification.ts';
import { createUsageError } from '../../errors/cli-error.ts';
import { parseIntegerList } from '../../input/options.ts';
import type { CliCommand } from '../../runtime/cli-command.ts';

export interface CertificationOptions {
  /** Numbers of the confirmed statements. */
  readonly confirm?: number[];
}

/** Adds the option with which a signer confirms certification statements. */
export function addCertificationOption(command: CliCommand): void {
  command.option(
    '--confirm <numbers>',
    'numbers of the statements that you confirm, as listed by: tieout period settings (repeatable)',
    parseIntegerList,
  );
}

/** Returns the texts of the statements with these numbers. Throws `validation` for a number without a statement. */
export function findConfirmedTexts(
  { statements }: Certification,
  role: CertificationRole,
  { confirm = [] }: CertificationOptions,
): string[] {
  const texts = listStatementTexts(statements, role);
  return confirm.map((number) => {
    const text = texts[number - 1];
    if (text === undefined)
      throw createUsageError(
        `There is no statement ${number} of the ${roleNames[role]}.`,
        texts.length === 0
          ? 'Sign without --confirm.'
          : `Use the numbers 1 to ${texts.length}, as listed by: tieout period settings`,
      );
    return text;
  });
}

const roleNames = { prepared: 'preparer', reviewed: 'reviewer' } as const;

/** Formats the statements of each role with their numbers. */
export const formatStatements = ({ statements }: Certification): string[] =>
  (['prepared', 'reviewed'] as const).flatMap((role) => {
    const texts = listStatementTexts(statements, role);
    return texts.length === 0
      ? []
      : [`Statements of the ${roleNames[role]}:`, ...texts.map((text, at) => `   ${at + 1}. ${text}`)];
  });
