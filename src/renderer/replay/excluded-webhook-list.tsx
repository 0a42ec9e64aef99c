import type { ReplayPlan } from '../../contract/index.ts';
import { ToggleSwitch } from '../controls/form-fields.tsx';
import { DateTime } from '../controls/formatted-values.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.replay;

interface ExcludedWebhooksProps {
  readonly plan: ReplayPlan;
  /** Option to include accepted webhooks. Null for a saved plan, because a saved plan cannot change. */
  readonly accepted: {
    readonly included: boolean;
    readonly onInclude: (included: boolean) => void;
    readonly pending: boolean;
  } | null;
}

/** Lists the webhooks that the plan excludes or delays, with the reasons. Users can include accepted webhooks. */
export function ExcludedWebhookList({ plan, accepted }: ExcludedWebhooksProps) {
  const { excluded, retrying, retrying_until: until } = plan;
  const acceptedChoice = accepted && (excluded.accepted > 0 || accepted.included) ? accepted : null;
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
      {(acceptedChoice || countExcluded(plan) > 0) && (
        <section className="plan-excluded" aria-label={text.excluded}>
          <h3>{text.excluded}</h3>
          {excluded.unknown > 0 && <p>{text.excludedCounts.unknown(excluded.unknown)}</p>}
          {excluded.unreadable > 0 && <p>{text.excludedCounts.unreadable(excluded.unreadable)}</p>}
          {excluded.unverified > 0 && <p>{text.excludedCounts.unverified(excluded.unverified)}</p>}
          {excluded.accepted > 0 && <p>{text.excludedCounts.accepted(excluded.accepted)}</p>}
          {acceptedChoice && (
            <ToggleSwitch
              on={acceptedChoice.included}
              onChange={acceptedChoice.onInclude}
              disabled={acceptedChoice.pending}
            >
              {text.includeAccepted(excluded.accepted)}
              <small>{text.includeAcceptedHint}</small>
            </ToggleSwitch>
          )}
        </section>
      )}
    </>
  );
}

const countExcluded = ({ excluded }: ReplayPlan): number =>
  excluded.accepted + excluded.unknown + excluded.unreadable + excluded.unverified;
