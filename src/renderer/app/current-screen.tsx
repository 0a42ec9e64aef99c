import type { Site } from '../../contract/index.ts';
import { AllocationsScreen } from '../allocations/allocations-screen.tsx';
import { ArchiveScreen } from '../archive/archive-screen.tsx';
import { AuditScreen } from '../audit/audit-screen.tsx';
import { BackupsScreen } from '../backups/backups-screen.tsx';
import { BankScreen } from '../bank/bank-screen.tsx';
import { ExceptionsScreen } from '../exceptions/exceptions-screen.tsx';
import { RulesScreen } from '../exceptions/rules-screen.tsx';
import { MatchingScreen } from '../matching/matching-screen.tsx';
import { useWindowState } from '../navigation/window-state.ts';
import { OutagesScreen } from '../outages/outages-screen.tsx';
import { OverviewScreen } from '../overview/overview-screen.tsx';
import { PeriodsScreen } from '../periods/periods-screen.tsx';
import { ReplaysScreen } from '../replay/replays-screen.tsx';
import { SettingsScreen } from '../settings/settings-screen.tsx';
import { SitesScreen } from '../sites/sites-screen.tsx';
import { StatementsScreen } from '../statements/statements-screen.tsx';
import { SubscriptionsScreen } from '../subscriptions/subscriptions-screen.tsx';
import { SyncScreen } from '../sync/sync-screen.tsx';
import { WebhooksScreen } from '../webhooks/webhooks-screen.tsx';

/** Shows the screen of the current route. The screen is remounted when another site is selected. */
export function CurrentScreen({ site }: { readonly site: Site | null }) {
  const screen = useWindowState((state) => state.route.screen);
  if (screen === 'sites') return <SitesScreen />;
  if (screen === 'settings') return <SettingsScreen />;
  if (!site) return null;
  const key = site.site;
  switch (screen) {
    case 'overview':
      return <OverviewScreen key={key} site={site} />;
    case 'exceptions':
      return <ExceptionsScreen key={key} site={site} />;
    case 'rules':
      return <RulesScreen key={key} site={site} />;
    case 'archive':
      return <ArchiveScreen key={key} site={site} />;
    case 'audit':
      return <AuditScreen key={key} site={site} />;
    case 'backups':
      return <BackupsScreen key={key} site={site} />;
    case 'webhooks':
      return <WebhooksScreen key={key} site={site} />;
    case 'outages':
      return <OutagesScreen key={key} site={site} />;
    case 'replays':
      return <ReplaysScreen key={key} site={site} />;
    case 'statements':
      return <StatementsScreen key={key} site={site} />;
    case 'subscriptions':
      return <SubscriptionsScreen key={key} site={site} />;
    case 'allocations':
      return <AllocationsScreen key={key} site={site} />;
    case 'bank':
      return <BankScreen key={key} site={site} />;
    case 'matching':
      return <MatchingScreen key={key} site={site} />;
    case 'periods':
      return <PeriodsScreen key={key} site={site} />;
    case 'sync':
      return <SyncScreen key={key} site={site} />;
  }
}
