import type { PeriodDetail, Site } from '../../../contract/index.ts';
import { PageLayout } from '../../layout/screen-layout.tsx';
import { JournalPanel } from './journal-panel.tsx';
import { LedgerAccountsPanel } from './ledger-accounts-panel.tsx';
import { LedgerFilesPanel } from './ledger-files-panel.tsx';

/** Tab with the imported ledger files, the mapping of ledger accounts, and the journal entries of the period. */
export function LedgerTab({ site, detail }: { readonly site: Site; readonly detail: PeriodDetail }) {
  return (
    <PageLayout className="periods">
      <LedgerFilesPanel site={site.site} />
      <LedgerAccountsPanel site={site.site} />
      <JournalPanel site={site.site} period={detail.period} isClosed={detail.state === 'closed'} />
    </PageLayout>
  );
}
