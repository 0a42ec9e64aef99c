import { z } from 'zod';
import { figureIdSchema } from '../shared/figure-reference.ts';

const statementText = z.string().trim().min(1).max(500);

/** Statement that the preparer or the reviewer confirms at sign-off. */
export const certificationSchema = z.object({
  /** True if a sign-off is refused while a statement is not confirmed. */
  required: z.boolean(),
  statements: z.array(z.object({ role: z.enum(['prepared', 'reviewed']), text: statementText })).max(40),
});
export type Certification = z.infer<typeof certificationSchema>;

/** Texts of the statements that the signer confirms, exactly as the site states them. */
export const confirmedStatementsSchema = z.array(statementText).max(40);

/** Statements as signed. `confirmed` is false if the signer did not confirm the statement. */
export const signedStatementsSchema = z.array(z.object({ confirmed: z.boolean(), text: z.string() }));

/** Subject of an event about a comment on a figure. */
export const commentReferenceSchema = z.object({
  currency: z.string().max(3),
  figure: figureIdSchema,
  /** Number of the comment; null for the event that added the comment, whose number is `seq`. */
  comment: z.int().nullable(),
});
