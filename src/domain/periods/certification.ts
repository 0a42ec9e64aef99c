/** Roles that certify a period at sign-off. */
export type CertificationRole = 'prepared' | 'reviewed';

/** Statement that a signer confirms at sign-off. */
export interface CertificationStatement {
  readonly role: CertificationRole;
  readonly text: string;
}

/** Statement as signed. `confirmed` is false if the signer did not confirm it. */
export interface SignedStatement {
  readonly text: string;
  readonly confirmed: boolean;
}

/** Statements of a site that has not edited them. */
export const DEFAULT_CERTIFICATION_STATEMENTS: readonly CertificationStatement[] = [
  { role: 'prepared', text: 'I know of no bank, processor or billing source of the period that is missing.' },
  {
    role: 'prepared',
    text: 'I checked every difference, exception and outstanding item, and its explanation.',
  },
  { role: 'prepared', text: 'I know of no error, fraud or later event that would change the figures.' },
  {
    role: 'reviewed',
    text: 'I read the workpaper and traced figures of my choice to their rows and sources.',
  },
  { role: 'reviewed', text: 'I agree with the explanations of the differences and outstanding items.' },
  { role: 'reviewed', text: 'I know of no error, fraud or later event that would change the figures.' },
];

/** Returns the texts of the statements that a role confirms, in order. */
export const listStatementTexts = (
  statements: readonly CertificationStatement[],
  role: CertificationRole,
): string[] => statements.filter((each) => each.role === role).map(({ text }) => text);

/** Returns an error message if a role has the same statement twice; otherwise null. */
export function findCertificationError(statements: readonly CertificationStatement[]): string | null {
  const known = new Set<string>();
  for (const { role, text } of statements) {
    if (known.has(`${role} ${text}`)) return `The statement “${text}” is listed twice.`;
    known.add(`${role} ${text}`);
  }
  return null;
}

/**
 * Returns the statements of a role with their confirmations. `unknown` lists confirmed texts that are not among the
 * statements, for example because a statement was edited after the signer read it.
 */
export function signStatements(
  texts: readonly string[],
  confirmed: readonly string[],
): { readonly signed: readonly SignedStatement[]; readonly unknown: readonly string[] } {
  return {
    signed: texts.map((text) => ({ text, confirmed: confirmed.includes(text) })),
    unknown: confirmed.filter((text) => !texts.includes(text)),
  };
}
