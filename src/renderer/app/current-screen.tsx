import type { ComponentType } from 'react';
import type { Site } from '../../contract/index.ts';
import { AllocationsScreen } from '../allocations/allocations-screen.tsx';
import { ArchiveScreen } from '../archive/archive-screen.tsx';
import { AuditScreen } from '../audit/audit-screen.tsx';
import { BackupsScreen } from '../backups/backups-screen.tsx';
import { BankScreen } from '../bank/bank-screen.tsx';
import { ExceptionsScreen } from '../exceptions/exceptions-screen.tsx';
import { RulesScreen } from '../exceptions/rules-screen.tsx';
import { MatchingScreen } from '../matching/matching-screen.tsx';
import type { ScreenName } from '../navigation/route.ts';
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

/** Screens of a selected site. */
const siteScreens: Record<
  Exclude<ScreenName, 'sites' | 'settings'>,
  ComponentType<{ readonly site: Site }>
> = {
  overview: OverviewScreen,
  exceptions: ExceptionsScreen,
  rules: RulesScreen,
  archive: ArchiveScreen,
  audit: AuditScreen,
  backups: BackupsScreen,
  webhooks: WebhooksScreen,
  outages: OutagesScreen,
  replays: ReplaysScreen,
  statements: StatementsScreen,
  subscriptions: SubscriptionsScreen,
  allocations: AllocationsScreen,
  bank: BankScreen,
  matching: MatchingScreen,
  periods: PeriodsScreen,
  sync: SyncScreen,
};

/** Shows the screen of the current route. The screen is remounted when another site is selected. */
export function CurrentScreen({ site }: { readonly site: Site | null }) {
  const screen = useWindowState((state) => state.route.screen);
  if (screen === 'sites') return <SitesScreen />;
  if (screen === 'settings') return <SettingsScreen />;
  const SiteScreen = siteScreens[screen];
  return site && <SiteScreen key={site.site} site={site} />;
}
