import type { Site } from '../../contract/index.ts';
import { AllocationsScreen } from '../allocations/AllocationsScreen.tsx';
import { ArchiveScreen } from '../archive/ArchiveScreen.tsx';
import { AuditScreen } from '../audit/AuditScreen.tsx';
import { BackupsScreen } from '../backups/BackupsScreen.tsx';
import { BankScreen } from '../bank/BankScreen.tsx';
import { ExceptionsScreen } from '../exceptions/ExceptionsScreen.tsx';
import { RulesScreen } from '../exceptions/RulesScreen.tsx';
import { MatchingScreen } from '../matching/MatchingScreen.tsx';
import { OutagesScreen } from '../outages/OutagesScreen.tsx';
import { OverviewScreen } from '../overview/OverviewScreen.tsx';
import { PeriodsScreen } from '../periods/PeriodsScreen.tsx';
import { ReplaysScreen } from '../replay/ReplaysScreen.tsx';
import { SettingsScreen } from '../settings/SettingsScreen.tsx';
import { SitesScreen } from '../sites/SitesScreen.tsx';
import { StatementsScreen } from '../statements/StatementsScreen.tsx';
import { SubscriptionsScreen } from '../subscriptions/SubscriptionsScreen.tsx';
import { SyncScreen } from '../sync/SyncScreen.tsx';
import { useView } from '../view/view.ts';
import { WebhooksScreen } from '../webhooks/WebhooksScreen.tsx';

/** The screen the address names; another site begins it anew. */
export function ScreenInFront({ site }: { readonly site: Site | null }) {
  const screen = useView((view) => view.route.screen);
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
