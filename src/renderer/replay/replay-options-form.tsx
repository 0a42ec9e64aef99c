import type { ReplayMode, ReplayPlan } from '../../contract/index.ts';
import { bindFormField, RadioButtonGroup, TextInput, ToggleSwitch } from '../controls/form-fields.tsx';
import { LabeledValueList } from '../controls/formatted-values.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.replay;
const modes: readonly ReplayMode[] = ['adaptive', 'safe', 'fast'];

/** Options for running a replay plan. They are not saved, so that fast mode must be chosen each time. */
export interface ReplayOptions {
  readonly mode: ReplayMode;
  /** Rate limit as entered. Empty for no limit. */
  readonly rate: string;
  readonly ordered: boolean;
  readonly reason: string;
}

/** Parses a rate in webhooks per second. Returns 0 for no limit, and null if the text is not a valid rate. */
export function parseReplayRate(text: string): number | null {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return 0;
  if (!/^\d+(\.\d+)?$/.test(trimmed)) return null;
  const rate = Number(trimmed);
  return rate > 0 && rate <= 10_000 ? rate : null;
}

/** Returns the duration in milliseconds with a rate limit. `ms` is the duration without one. */
function getDurationAtRate({ count }: ReplayPlan, ms: number, rate: number): number {
  return Math.max(ms, Math.round(((count - 1) * 1000) / rate));
}

interface ReplayOptionsFormProps {
  readonly plan: ReplayPlan;
  readonly options: ReplayOptions;
  readonly onChange: (options: ReplayOptions) => void;
}

/** Form for the options of a replay. It also shows the expected duration and number of requests. */
export function ReplayOptionsForm({ plan, options, onChange }: ReplayOptionsFormProps) {
  const forecast = plan.expected?.[options.mode];
  const rate = parseReplayRate(options.rate);
  return (
    <div className="plan-options">
      <RadioButtonGroup
        label={text.modeLabel}
        {...bindFormField(options, onChange, 'mode')}
        options={modes.map((value) => ({ value, ...text.modes[value] }))}
      />
      <LabeledValueList
        rows={[
          [text.expected, forecast ? text.expectation(forecast.ms, forecast.requests) : text.noForecast],
          [text.load, forecast ? text.loadOf(forecast.at_once, forecast.per_second) : null],
          [text.atRate, rate ? text.duration(getDurationAtRate(plan, forecast?.ms ?? 0, rate)) : null],
        ]}
      />
      <TextInput
        label={text.rate}
        {...bindFormField(options, onChange, 'rate')}
        hint={text.rateHint}
        placeholder={text.ratePlaceholder}
        error={rate === null ? text.rateWrong : null}
        numeric
      />
      {plan.endpoint === null && (
        <ToggleSwitch on={options.ordered} onChange={(ordered) => onChange({ ...options, ordered })}>
          {text.ordered}
          <small>{text.orderedHint}</small>
        </ToggleSwitch>
      )}
      <TextInput
        label={text.reason}
        {...bindFormField(options, onChange, 'reason')}
        hint={text.reasonHint}
        placeholder={text.reasonPlaceholder}
        maxLength={500}
      />
    </div>
  );
}
