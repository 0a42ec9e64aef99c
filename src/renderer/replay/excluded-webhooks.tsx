import type { ReplayPlan } from '../../contract/index.ts';
import { ToggleSwitch } from '../controls/form-fields.tsx';
import { DateTime } from '../controls/values.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.replay;

interface ExcludedWebhooksProps {
  readonly plan: ReplayPlan;
  /** Option to include accepted webhooks. Null for a saved plan, because it cannot change. */
  readonly accepted: {
    readonly included: boolean;
    readonly onInclude: (included: boolean) => void;
    readonly pending: boolean;
  } | null;
}

/**
 * Lists the webhooks that the plan excludes or delays, with the reasons. Accepted webhooks are included only if the user
 * chooses so.
 */
export function ExcludedWebhooks({ plan, accepted }: ExcludedWebhooksProps) {
  const { excluded: left, retrying, retrying_until: until } = plan;
  const acceptedChoice = accepted && (left.accepted > 0 || accepted.included) ? accepted : null;
  return (
    <>
      {retrying > 0 && (
        <section className="plan-excluded" aria-label={text.delayed}>
          <h3>{text.delayed}</h3>
          <p>
            {text.excludedCounts.retrying(retrying)}
            {until && (
              <>
                {' '}
                {text.retryingUntil} <DateTime at={until} precision="second" />.
              </>
            )}
          </p>
        </section>
      )}
      {(acceptedChoice || left.accepted + left.unknown > 0) && (
        <section className="plan-excluded" aria-label={text.excluded}>
          <h3>{text.excluded}</h3>
          {left.unknown > 0 && <p>{text.excludedCounts.unknown(left.unknown)}</p>}
          {left.accepted > 0 && <p>{text.excludedCounts.accepted(left.accepted)}</p>}
          {acceptedChoice && (
            <ToggleSwitch
              on={acceptedChoice.included}
              onChange={acceptedChoice.onInclude}
              disabled={acceptedChoice.pending}
            >
              {text.includeAccepted(left.accepted)}
              <small>{text.includeAcceptedHint}</small>
            </ToggleSwitch>
          )}
        </section>
      )}
    </>
  );
}
