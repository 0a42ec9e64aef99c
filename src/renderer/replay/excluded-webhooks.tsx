import type { ReplayPlan } from '../../contract/index.ts';
import { ToggleSwitch } from '../controls/form-fields.tsx';
import { DateTime } from '../controls/values.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.replay;

interface ExcludedWebhooksProps {
  readonly plan: ReplayPlan;
  /** Whether those accepted already are to be sent too; null where the plan is made. */
  readonly accepted: {
    readonly included: boolean;
    readonly onInclude: (included: boolean) => void;
    readonly pending: boolean;
  } | null;
}

/** Which of those chosen are not in the plan, or wait, and why; those accepted already only by an explicit choice. */
export function ExcludedWebhooks({ plan, accepted }: ExcludedWebhooksProps) {
  const { excluded: left, retrying, retrying_until: until } = plan;
  const choice = accepted && (left.accepted > 0 || accepted.included) ? accepted : null;
  return (
    <>
      {retrying > 0 && (
        <section className="plan-excluded" aria-label={text.waits}>
          <h3>{text.waits}</h3>
          <p>
            {text.leftOutRows.retrying(retrying)}
            {until && (
              <>
                {' '}
                {text.retryingUntil} <DateTime at={until} precision="second" />.
              </>
            )}
          </p>
        </section>
      )}
      {(choice || left.accepted + left.unknown > 0) && (
        <section className="plan-excluded" aria-label={text.leftOut}>
          <h3>{text.leftOut}</h3>
          {left.unknown > 0 && <p>{text.leftOutRows.unknown(left.unknown)}</p>}
          {left.accepted > 0 && <p>{text.leftOutRows.accepted(left.accepted)}</p>}
          {choice && (
            <ToggleSwitch on={choice.included} onChange={choice.onInclude} disabled={choice.pending}>
              {text.includeAccepted(left.accepted)}
              <small>{text.includeAcceptedHint}</small>
            </ToggleSwitch>
          )}
        </section>
      )}
    </>
  );
}
