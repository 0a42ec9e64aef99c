import type { ReplayMode, ReplayPlan } from '../../contract/index.ts';
import { RadioOptions, TextInput, ToggleSwitch } from '../controls/form-fields.tsx';
import { FactList } from '../controls/values.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.replay;
const modes: readonly ReplayMode[] = ['adaptive', 'safe', 'fast'];

/** How a plan is to be run. Fast is chosen anew each time: nothing remembers it. */
export interface ReplayOptions {
  readonly mode: ReplayMode;
  /** As typed; empty for no limit. */
  readonly rate: string;
  readonly ordered: boolean;
  readonly reason: string;
}

/** Webhooks a second: 0 for no limit, null where what was typed is none. */
export function parseRate(typed: string): number | null {
  const trimmed = typed.trim().replace(',', '.');
  if (trimmed === '') return 0;
  if (!/^\d+(\.\d+)?$/.test(trimmed)) return null;
  const rate = Number(trimmed);
  return rate > 0 && rate <= 10_000 ? rate : null;
}

interface ReplayOptionsFormProps {
  readonly plan: ReplayPlan;
  readonly orders: ReplayOptions;
  readonly onOrders: (orders: ReplayOptions) => void;
}

/** How a plan is to be sent, and what that will take. */
export function ReplayOptionsForm({ plan, orders, onOrders }: ReplayOptionsFormProps) {
  const change = (part: Partial<ReplayOptions>) => onOrders({ ...orders, ...part });
  const forecast = plan.expected?.[orders.mode];
  return (
    <div className="plan-how">
      <RadioOptions
        label={text.pace}
        value={orders.mode}
        onChange={(mode) => change({ mode })}
        options={modes.map((value) => ({ value, ...text.modes[value] }))}
      />
      <FactList
        rows={[
          [text.expected, forecast ? text.expectation(forecast.ms, forecast.requests) : text.noForecast],
        ]}
      />
      <TextInput
        label={text.rate}
        value={orders.rate}
        onChange={(rate) => change({ rate })}
        hint={text.rateHint}
        placeholder={text.ratePlaceholder}
        error={parseRate(orders.rate) === null ? text.rateWrong : null}
        numeric
      />
      <ToggleSwitch on={orders.ordered} onChange={(ordered) => change({ ordered })}>
        {text.ordered}
        <small>{text.orderedHint}</small>
      </ToggleSwitch>
      <TextInput
        label={text.reason}
        value={orders.reason}
        onChange={(reason) => change({ reason })}
        hint={text.reasonHint}
        placeholder={text.reasonPlaceholder}
        maxLength={500}
      />
    </div>
  );
}
