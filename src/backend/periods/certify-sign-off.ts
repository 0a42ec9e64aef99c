import type { Certification } from '../../contract/index.ts';
import {
  type CanonicalJson,
  type CertificationRole,
  canonicalJson,
  listStatementTexts,
  type PeriodTransitionError,
  type SignedStatement,
  signStatements,
} from '../../domain/periods/index.ts';

/** Statements of a site, and those that the signer of a period confirms. */
export interface CertificationInput {
  readonly certification: Certification;
  readonly role: CertificationRole;
  readonly period: string;
  /** Texts of the confirmed statements. */
  readonly confirmed: readonly string[];
}

/**
 * Returns the statements of a sign-off as canonical JSON, or why the period cannot be signed: a confirmed text is not a
 * statement of the site, or a required statement is not confirmed.
 */
export function certifySignOff({
  certification: { required, statements },
  role,
  period,
  confirmed,
}: CertificationInput): string | PeriodTransitionError {
  const { signed, unknown } = signStatements(listStatementTexts(statements, role), confirmed);
  if (unknown.length > 0)
    return {
      message: `“${unknown[0]}” is not a statement of the ${role === 'prepared' ? 'preparer' : 'reviewer'}.`,
      hint: 'The statements may have been edited. Read them again, and confirm each one that is true.',
    };
  const missing = signed.filter((statement) => !statement.confirmed);
  if (required && missing.length > 0)
    return {
      message: `${period} cannot be signed while statements are not confirmed: ${formatQuoted(missing)}`,
      hint: 'Confirm each statement that is true. If one is not, resolve the cause first.',
    };
  return canonicalJson(signed as unknown as CanonicalJson);
}

const formatQuoted = (statements: readonly SignedStatement[]): string =>
  statements.map(({ text }) => `“${text}”`).join(', ');
