import type { ArchiveHold, ArchiveSummary } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { DateTime } from '../controls/formatted-values.tsx';
import { Panel } from '../controls/panel.tsx';
import { DataTable } from '../controls/table-head.tsx';
import { openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.archive;
const titles = text.holdColumns;
/** Maximum number of legal holds listed in the panel. Chosen by judgment. */
const MAX_LISTED_HOLDS = 50;

/** Shows the retention, the legal holds, and the expired PDFs. */
export function RetentionPanel(props: { readonly site: string; readonly summary: ArchiveSummary }) {
  const { retention_years, past_retention, on_hold } = props.summary;
  const { data: holds } = useQuery('archive.holds', { site: props.site, limit: MAX_LISTED_HOLDS });
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
        <DataTable
          titles={[
            titles.on,
            { text: titles.reason, cellClass: 'archive-reason' },
            titles.since,
            titles.by,
            { unseen: text.release, cellClass: 'table-end' },
          ]}
          rows={holds.rows.map((hold) => ({
            key: hold.hold,
            cells: [
              formatLegalHoldTarget(hold),
              hold.reason,
              <DateTime key="since" at={hold.placed_at} precision="day" />,
              hold.placed_by,
              <Button key="release" size="small" onPress={() => openDialog({ kind: 'release', hold })}>
                {text.release}
                <span className="visually-hidden"> {text.releaseOf(formatLegalHoldTarget(hold))}</span>
              </Button>,
            ],
          }))}
        />
      )}
      {more > 0 && <p className="fineprint">{text.moreHolds(more)}</p>}
    </Panel>
  );
}

/** Formats the statement or subscription that a legal hold applies to. */
export function formatLegalHoldTarget({ statement_id, subscription_id }: ArchiveHold): string {
  return statement_id === null ? text.onSubscription(subscription_id ?? 0) : text.onStatement(statement_id);
}
