import type { ArchiveHold, ArchiveSummary } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { Panel } from '../controls/panel.tsx';
import { DateTime } from '../controls/values.tsx';
import { openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.archive;
/** Maximum number of holds listed in the panel. */
const MAX_LISTED_HOLDS = 50;

/** Shows the retention, the legal holds, and the expired PDFs. */
export function RetentionPanel({
  site,
  summary,
}: {
  readonly site: string;
  readonly summary: ArchiveSummary;
}) {
  const { retention_years, past_retention, on_hold } = summary;
  const { data: holds } = useQuery('archive.holds', { site, limit: MAX_LISTED_HOLDS });
  const more = (holds?.total?.count ?? 0) - MAX_LISTED_HOLDS;
  return (
    <Panel
      level={2}
      title={text.retentionTitle}
      aside={
        <div className="archive-actions">
          <CommandButton id="archive.retention" size="small" />
          <CommandButton id="archive.hold" size="small" />
        </div>
      }
    >
      <p>{text.retentionPeriod(retention_years)}</p>
      <p className="archive-expired">
        {text.pastRetentionCount(past_retention)} {text.onHoldCount(on_hold)}
        {past_retention > 0 && <CommandButton id="archive.delete" size="small" />}
      </p>
      {holds && holds.rows.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{text.holdColumns.on}</th>
              <th scope="col">{text.holdColumns.reason}</th>
              <th scope="col">{text.holdColumns.since}</th>
              <th scope="col">{text.holdColumns.by}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {holds.rows.map((hold) => (
              <tr key={hold.hold}>
                <th scope="row">{formatHoldTarget(hold)}</th>
                <td className="archive-reason">{hold.reason}</td>
                <td>
                  <DateTime at={hold.placed_at} precision="day" />
                </td>
                <td>{hold.placed_by}</td>
                <td className="table-end">
                  <Button size="small" onPress={() => openDialog({ kind: 'release', hold })}>
                    {text.release}
                    <span className="visually-hidden"> {text.releaseOf(formatHoldTarget(hold))}</span>
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {more > 0 && <p className="fineprint">{text.moreHolds(more)}</p>}
    </Panel>
  );
}

/** Formats the statement or subscription that a legal hold applies to. */
export function formatHoldTarget({ statement_id, subscription_id }: ArchiveHold): string {
  return statement_id === null ? text.onSubscription(subscription_id ?? 0) : text.onStatement(statement_id);
}
