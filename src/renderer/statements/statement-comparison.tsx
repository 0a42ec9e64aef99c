import { X } from 'lucide-react';
import type { Site, StatementDetail } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { SelectField } from '../controls/form-fields.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { Tabs } from '../controls/tabs.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { navigate, selectTab, useWindowState } from '../navigation/window-state.ts';
import { formatLocalDay } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';
import { StatementComparisonTables } from './statement-comparison-tables.tsx';
import { PdfPane } from './statement-pdf-pane.tsx';
import { formatComparisonRouteItem } from './statement-route.ts';
import { StatementDateRange, StatementStatus } from './statement-status.tsx';
import './statements.css';
import './comparison.css';

const text = texts.statements;
const tabIds = ['lines', 'pdf'] as const;
type TabId = (typeof tabIds)[number];
/** Maximum number of statements offered for a comparison. Chosen by judgment. */
const MAX_CHOICES = 200;

interface ComparisonProps {
  readonly site: Site;
  readonly id: number;
  readonly other: number;
}

/** Compares two statements by showing their figures and transactions with the differences marked, or their PDFs. */
export function StatementComparison({ site, id, other }: ComparisonProps) {
  const leftQuery = useQuery('statements.get', { site: site.site, id });
  const rightQuery = useQuery('statements.get', { site: site.site, id: other });
  const chosen = useWindowState((view) => tabIds.find((tab) => tab === view.tabs['comparison']) ?? 'lines');
  const error = leftQuery.error ?? rightQuery.error;
  if (error) return <ErrorMessage error={error} />;
  // Shows a placeholder, because queries still return the previous statement until the next one has loaded.
  if (leftQuery.data?.id !== id || rightQuery.data?.id !== other) return <Skeleton />;
  const [left, right] = [leftQuery.data, rightQuery.data];
  return (
    <section className="comparison" aria-label={text.compareTitle}>
      <header className="comparison-head">
        <ComparisonHeading statement={left} />
        <div className="comparison-other">
          <ComparisonHeading statement={right} />
          <OtherStatementSelect site={site} statement={left} other={other} />
        </div>
        <div className="comparison-actions">
          <CommandButton id="statements.previous" kind="quiet" iconOnly />
          <CommandButton id="statements.next" kind="quiet" iconOnly />
          <Button
            kind="quiet"
            icon={X}
            label={text.compareEnd}
            onPress={() => navigate({ item: String(id) }, true)}
          />
        </div>
      </header>
      <div className="detail comparison-parts">
        <Tabs<TabId>
          label={text.compareTitle}
          chosen={chosen}
          onChoose={(tab) => selectTab('comparison', tab)}
          tabs={[
            {
              id: 'lines',
              title: text.compareTabs.lines,
              body: () => <StatementComparisonTables left={left} right={right} currency={site.currency} />,
            },
            {
              id: 'pdf',
              title: text.compareTabs.pdf,
              body: () => (
                <div className="comparison-pdfs">
                  <PdfPane key={id} site={site} id={id} />
                  <PdfPane key={-other} site={site} id={other} />
                </div>
              ),
            },
          ]}
        />
      </div>
    </section>
  );
}

function ComparisonHeading({ statement }: { readonly statement: StatementDetail }) {
  return (
    <div className="comparison-title">
      <h2>{text.detail(statement.id)}</h2>
      <p>
        <StatementStatus status={statement.state} pill />
        <span>{statement.customer_name}</span>
        <StatementDateRange statement={statement} />
      </p>
    </div>
  );
}

interface OtherStatementSelectProps {
  readonly site: Site;
  readonly statement: StatementDetail;
  readonly other: number;
}

/** Selects another statement of the same subscription for the comparison. */
function OtherStatementSelect({ site, statement, other }: OtherStatementSelectProps) {
  const { data } = useQuery('statements.list', {
    site: site.site,
    filter: { subscription_id: statement.subscription_id },
    limit: MAX_CHOICES,
  });
  const others = data?.rows.filter((row) => row.id !== statement.id) ?? [];
  return (
    <SelectField
      label={text.compareWith}
      value={String(other)}
      onChange={(chosen) => navigate({ item: formatComparisonRouteItem(statement.id, Number(chosen)) }, true)}
      options={others.map((row) => ({
        value: String(row.id),
        label: text.compareOther(
          row.id,
          row.closed_at === null ? text.stillOpen : formatLocalDay(row.closed_at),
        ),
      }))}
    />
  );
}
