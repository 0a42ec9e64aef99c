import type { WorkpaperSettings } from '../../../contract/index.ts';
import { findCertificationError, listStatementTexts } from '../../../domain/periods/index.ts';
import { bindFormField, ToggleSwitch } from '../../controls/form-fields.tsx';
import { MultilineField } from '../../controls/multiline-field.tsx';
import { texts } from '../../texts/texts.ts';

const text = texts.periods.settings;
const MAX_STATEMENT_LENGTH = 500;

/** Sign-off policy as typed. */
interface PolicyDraft {
  /** Statements, one per line. */
  readonly prepared: string;
  readonly reviewed: string;
  readonly isRequired: boolean;
  readonly isSelfReviewRefused: boolean;
}

export function toPolicyDraft({ certification, self_review }: WorkpaperSettings): PolicyDraft {
  const format = (role: 'prepared' | 'reviewed') =>
    listStatementTexts(certification.statements, role).join('\n');
  return {
    prepared: format('prepared'),
    reviewed: format('reviewed'),
    isRequired: certification.required,
    isSelfReviewRefused: self_review === 'refused',
  };
}

/** Returns the typed statements, or null if one is too long or listed twice. */
export function parseStatements({
  prepared,
  reviewed,
  isRequired,
}: PolicyDraft): WorkpaperSettings['certification'] | null {
  const parse = (role: 'prepared' | 'reviewed', typed: string) =>
    typed.split('\n').flatMap((line) => (line.trim() === '' ? [] : [{ role, text: line.trim() }]));
  const statements = [...parse('prepared', prepared), ...parse('reviewed', reviewed)];
  const isTooLong = statements.some(({ text: statement }) => statement.length > MAX_STATEMENT_LENGTH);
  if (isTooLong || findCertificationError(statements) !== null) return null;
  return { required: isRequired, statements };
}

interface PolicyFieldsProps {
  readonly policy: PolicyDraft;
  readonly isInvalid: boolean;
  onChange(policy: PolicyDraft): void;
  onSubmit(): void;
}

/** Fields for the certification statements and the policy on self-reviews. */
export function PolicyFields({ policy, isInvalid, onChange, onSubmit }: PolicyFieldsProps) {
  const bind = (name: 'prepared' | 'reviewed') => bindFormField(policy, onChange, name);
  return (
    <fieldset className="legend-edit">
      <legend>{text.certification}</legend>
      <MultilineField
        label={text.prepared}
        {...bind('prepared')}
        rows={4}
        maxLength={20_000}
        onSubmit={onSubmit}
      />
      <MultilineField
        label={text.reviewed}
        {...bind('reviewed')}
        rows={4}
        maxLength={20_000}
        onSubmit={onSubmit}
      />
      <p className="fineprint">{isInvalid ? text.statementsBad : text.statementsHint}</p>
      <ToggleSwitch on={policy.isRequired} onChange={(isRequired) => onChange({ ...policy, isRequired })}>
        {text.required}
      </ToggleSwitch>
      <ToggleSwitch
        on={policy.isSelfReviewRefused}
        onChange={(isSelfReviewRefused) => onChange({ ...policy, isSelfReviewRefused })}
      >
        {text.refuseSelfReview}
      </ToggleSwitch>
    </fieldset>
  );
}
