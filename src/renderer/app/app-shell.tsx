import { RefreshCw } from 'lucide-react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { type Site, toContractError } from '../../contract/index.ts';
import { useBrowserNotifications } from '../alerts/use-browser-notifications.ts';
import { useConnectionState, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { useServiceProbing } from '../backend-client/service-availability.ts';
import { DamagedBooksBanner } from '../backups/backups-screen.tsx';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { formatError } from '../errors/error-texts.ts';
import { PrintedListHost } from '../grid/export/print-list.tsx';
import { navigate, openDialog, showNotice, useWindowState } from '../navigation/window-state.ts';
import { useAutomaticSync } from '../sync/use-automatic-sync.ts';
import { setDisplayZone, useDisplayZone } from '../texts/display-zone.ts';
import { texts } from '../texts/texts.ts';
import { changeUserSetting, useUserSettings } from '../user-settings/user-settings.ts';
import { useWindowShell } from '../window-shell/window-shell.ts';
import { WindowShellSync } from '../window-shell/window-shell-sync.tsx';
import { CurrentScreen } from './current-screen.tsx';
import { DialogHost } from './dialog-host.tsx';
import { focusListWhenReady, focusMainContent, restoreLostFocus } from './focus-management.ts';
import { KeyboardShortcutHandler } from './keyboard-shortcuts.tsx';
import { NoticeList } from './notices.tsx';
import { Sidebar } from './sidebar.tsx';
import './app-shell.css';

/** Layout of the application window: sidebar, banners, and the current screen. */
export function AppShell() {
  const { data: sites, error } = useQuery('sites.list', {});
  // Selects only what the shell needs, so that opening another record does not re-render it.
  const siteName = useWindowState((state) => state.route.site);
  const screen = useWindowState((state) => state.route.screen);
  const site = sites?.find((known) => known.site === siteName) ?? null;
  useSiteSelection(sites, siteName);
  useDisplayZoneOf(site);
  useServiceProbing(site);
  useFirstSync(site);
  useAutomaticSync(site);
  useBrowserNotifications(site?.site ?? null);
  useEffect(restoreLostFocus, []);
  return (
    <div className="app-shell">
      <KeyboardShortcutHandler />
      <WindowShellSync />
      <button type="button" className="skip-link" onClick={focusMainContent}>
        {texts.frame.skip}
      </button>
      <Sidebar site={site} sites={sites ?? []} />
      <div className="app-main">
        <Banners site={site} />
        <main id="content" className="app-content" tabIndex={-1}>
          {error && !sites ? (
            <ErrorMessage error={error} />
          ) : (
            sites &&
            (site || worksWithoutSite(screen) ? (
              <CurrentScreen site={site} />
            ) : (
              sites.length === 0 && <NoSiteState />
            ))
          )}
        </main>
      </div>
      <FocusOnScreenChange key={screen} />
      <DialogHost />
      <NoticeList />
      <PrintedListHost />
    </div>
  );
}

/** Shows times in the chosen zone. Renders the whole window again when the zone changes. */
function useDisplayZoneOf(site: Site | null): void {
  useDisplayZone();
  const choice = useUserSettings((settings) => settings['time.zone']);
  const zone = site?.time_zone ?? null;
  // A layout effect runs before the first paint, so no time is shown in another zone.
  useLayoutEffect(() => setDisplayZone(choice, zone), [choice, zone]);
}

/** Moves the focus whenever another screen is shown. The component's key remounts it for each screen. */
function FocusOnScreenChange() {
  useEffect(focusListWhenReady, []);
  return null;
}

/** Returns true if the screen can be shown without a selected site. */
function worksWithoutSite(screen: string): boolean {
  return screen === 'sites' || screen === 'settings';
}

/**
 * Opens the last used site, or the first one, if the route names no known site.
 * A site that was just connected may be missing from the list, so the backend is queried first.
 */
function useSiteSelection(sites: readonly Site[] | undefined, siteName: string | null): void {
  const client = useContractClient();
  useEffect(() => {
    if (!sites) return;
    if (sites.some((site) => site.site === siteName)) {
      if (useUserSettings.getState()['site.last'] !== siteName) changeUserSetting('site.last', siteName);
      return;
    }
    if (siteName === null) return openDefaultSite(sites);
    let isCurrent = true;
    client.sites.get({ site: siteName }).catch(() => isCurrent && openDefaultSite(sites));
    return () => {
      isCurrent = false;
    };
  }, [client, sites, siteName]);
}

function openDefaultSite(sites: readonly Site[]): void {
  const last = sites.find((site) => site.site === useUserSettings.getState()['site.last']);
  const site = last ?? sites.find((site) => !site.demo) ?? sites[0];
  if (site) navigate({ site: site.site }, true);
}

/** Starts the first sync of a site automatically, because there are no records to show before it. */
function useFirstSync(site: Site | null): void {
  const client = useContractClient();
  const { data: status } = useQuery('sync.status', site ? { site: site.site } : null);
  const name = site?.site ?? null;
  const isNeverSynced = status?.site === name && status?.last === null && status.running === null;
  useEffect(() => {
    if (!name || !isNeverSynced) return;
    client.sync.start({ site: name }).catch((thrown: unknown) => {
      const error = toContractError(thrown);
      // A conflict means that another window has already started the sync.
      if (error.code !== 'conflict') showNotice(formatError(error), 'bad');
    });
  }, [client, name, isNeverSynced]);
}

function Banners({ site }: { readonly site: Site | null }) {
  const isReconnecting = useConnectionState().phase === 'lost';
  return (
    <>
      {isReconnecting && <DisconnectedBanner />}
      {site && <DamagedBooksBanner site={site.site} />}
      {site?.demo && (
        <section className="banner" aria-label={texts.frame.demoTag}>
          <span className="tag">{texts.frame.demoTag}</span>
          <span className="banner-text">{texts.frame.demoBanner}</span>
          <Button size="small" onPress={() => openDialog({ kind: 'connect' })}>
            {texts.sites.connect}
          </Button>
        </section>
      )}
    </>
  );
}

/** Time in milliseconds after which a lost connection will hardly return without a person. Chosen by judgment. */
const RECONNECT_EXPECTED_MS = 8_000;

/** States that the connection is lost and, if it does not return, how to start the app again. */
function DisconnectedBanner() {
  const [isGone, setIsGone] = useState(false);
  const shell = useWindowShell((state) => (state.shell ? 'electron' : 'browser'));
  useEffect(() => {
    const timer = setTimeout(() => setIsGone(true), RECONNECT_EXPECTED_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="banner banner-warn" role="status">
      <RefreshCw size={14} aria-hidden="true" />
      {isGone ? texts.frame.backendGone[shell] : texts.frame.disconnectedBanner}
    </div>
  );
}

function NoSiteState() {
  return (
    <EmptyState
      icon={RefreshCw}
      title={texts.frame.welcome}
      action={
        <Button kind="primary" size="large" onPress={() => openDialog({ kind: 'connect' })}>
          {texts.sites.connect}
        </Button>
      }
      text={texts.frame.welcomeText}
    />
  );
}
