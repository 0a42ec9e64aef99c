import type { WorkpaperSettings } from '../../../contract/index.ts';
import { findCertificationError, listStatementTexts } from '../../../domain/periods/index.ts';
import { findThresholdsError } from '../../../domain/workpaper/index.ts';
import { bindFormField, SelectField, ToggleSwitch } from '../../controls/form-fields.tsx';
import { MultilineField } from '../../controls/multiline-field.tsx';
import { formatAmount, parseAmount } from '../../texts/money.ts';
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
  /** Thresholds, one per line, for example `S2 USD 25.00`. */
  readonly thresholds: string;
  readonly suspendOn: WorkpaperSettings['suspend_on'];
}

export function toPolicyDraft(settings: WorkpaperSettings): PolicyDraft {
  const { certification, self_review, thresholds, suspend_on } = settings;
  const format = (role: 'prepared' | 'reviewed') =>
    listStatementTexts(certification.statements, role).join('\n');
  return {
    prepared: format('prepared'),
    reviewed: format('reviewed'),
    isRequired: certification.required,
    isSelfReviewRefused: self_review === 'refused',
    thresholds: thresholds
      .map(
        ({ schedule, currency, amount_in_cents }) =>
          `${schedule} ${currency} ${formatAmount(amount_in_cents)}`,
      )
      .join('\n'),
    suspendOn: suspend_on,
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

/** Returns the typed thresholds, or null if a line is not a threshold or one is given twice. */
export function parseThresholds(typed: string): WorkpaperSettings['thresholds'] | null {
  const lines = typed.split('\n').filter((line) => line.trim() !== '');
  const thresholds = lines.flatMap((line) => {
    const [, schedule, currency, amount = ''] =
      /^\s*(S[1-9]\d?(?:-[1-9]\d{0,8})?)\s+([A-Z]{3})\s+(\S+)\s*$/.exec(line) ?? [];
    const amount_in_cents = parseAmount(amount) ?? 0;
    return schedule === undefined || currency === undefined || amount_in_cents <= 0
      ? []
      : [{ schedule, currency, amount_in_cents }];
  });
  return thresholds.length < lines.length || findThresholdsError(thresholds) !== null ? null : thresholds;
}

interface PolicyFieldsProps {
  readonly policy: PolicyDraft;
  readonly isInvalid: boolean;
  readonly areThresholdsInvalid: boolean;
  onChange(policy: PolicyDraft): void;
  onSubmit(): void;
}

/** Fields for the certification statements and the policy on self-reviews. */
export function PolicyFields(props: PolicyFieldsProps) {
  const { policy, isInvalid, areThresholdsInvalid, onChange, onSubmit } = props;
  const bind = (name: 'prepared' | 'reviewed' | 'thresholds') => bindFormField(policy, onChange, name);
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
      <MultilineField
        label={text.thresholds}
        {...bind('thresholds')}
        rows={3}
        maxLength={20_000}
        onSubmit={onSubmit}
      />
      <p className="fineprint">{areThresholdsInvalid ? text.thresholdsBad : text.thresholdsHint}</p>
      <SelectField
        label={text.suspendOn}
        {...bindFormField(policy, onChange, 'suspendOn')}
        options={(['never', 'material', 'any'] as const).map((value) => ({
          value,
          label: text.suspensions[value],
        }))}
      />
      <p className="fineprint">{text.suspendOnHint}</p>
    </fieldset>
  );
}
