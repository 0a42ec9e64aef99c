import type { ReplayPlan } from '../../contract/index.ts';
import { CopyButton, Panel } from '../controls/Pieces.tsx';
import { Facts, Moment } from '../controls/Values.tsx';
import { dateText } from '../words/moments.ts';
import { countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';

const text = words.replay;

/** What would be sent: how many of what, from when, left out, and at what cost. */
export function PlanView({ plan, title }: { readonly plan: ReplayPlan; readonly title: string }) {
  const left = Object.entries(plan.left_out).filter(([, count]) => count > 0) as [
    keyof ReplayPlan['left_out'],
    number,
  ][];
  return (
    <>
      <p className="plan-lead">{text.lead(plan.count, title)}</p>
      <div className="plan-parts">
        <Shares
          title={text.byEvent}
          rows={plan.by_event.map(({ event, count }) => [event, count])}
          of={plan.count}
        />
        <Shares
          title={text.byError}
          rows={plan.by_error.map(({ error, count }) => [error, count])}
          of={plan.count}
        />
        <Shares
          title={text.byDay}
          rows={plan.by_day.map(({ day, count }) => [dateText(day), count])}
          of={plan.count}
        />
        <Shares title={text.byUrl} rows={plan.by_url.map(({ url, count }) => [url, count])} of={plan.count} />
      </div>
      <Facts
        rows={[
          [text.site, title],
          [
            text.span,
            plan.oldest_at && (
              <>
                <Moment at={plan.oldest_at} /> – <Moment at={plan.newest_at} />
              </>
            ),
          ],
          left.length > 0
            ? [text.leftOut, left.map(([why, count]) => text.leftOutRows[why](count)).join(', ')]
            : null,
          [text.requests, text.atLeast(plan.expected_requests)],
          [
            text.fingerprint,
            <span key="sha" className="plan-sha">
              <code>{plan.ids_sha256.slice(0, 16)}…</code>
              <CopyButton text={plan.ids_sha256} label={text.fingerprint} />
            </span>,
          ],
        ]}
      />
    </>
  );
}

const MOST = 6;

interface SharesProps {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, count: number])[];
  readonly of: number;
}

/** Counts with bars as long as their share. */
function Shares({ title, rows, of }: SharesProps) {
  if (rows.length === 0) return null;
  const rest = rows.slice(MOST).reduce((sum, [, count]) => sum + count, 0);
  const shown = rest > 0 ? [...rows.slice(0, MOST), [`+ ${rows.length - MOST}`, rest] as const] : rows;
  return (
    <Panel title={title}>
      <ul className="shares">
        {shown.map(([name, count]) => (
          <li key={name}>
            <span className="share-name" title={name}>
              {name}
            </span>
            <span className="share-count">{countText(count)}</span>
            <span
              className="share-bar"
              aria-hidden="true"
              style={{ width: `${Math.max(1, (100 * count) / of)}%` }}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
