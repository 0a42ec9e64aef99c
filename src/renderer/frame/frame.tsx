import { RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { errorOf, type Site } from '../../contract/index.ts';
import { useClient, useConnectionState, useQuery } from '../backend/hooks.ts';
import { DamagedBooks } from '../backups/damaged-books.tsx';
import { Shortcuts } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import { Empty } from '../controls/pieces.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { errorLine } from '../errors/error-words.ts';
import { choose, useChosen } from '../settings/chosen.ts';
import { useAutomaticSync } from '../sync/use-automatic-sync.ts';
import { go, notify, openDialog, useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import { Dialogs } from './dialogs.tsx';
import { focusContent, focusOnArrival, keepFocus } from './keep-focus.ts';
import { Notices } from './notices.tsx';
import { useProbing } from './reach.ts';
import { ScreenInFront } from './screen-in-front.tsx';
import { Sidebar } from './sidebar.tsx';
import './frame.css';

/** The window: navigation at the side, what there is to know above, the screen in front. */
export function Frame() {
  const { data: sites, error } = useQuery('sites.list', {});
  // What is open beside a list changes with every row: only its own screen is drawn anew for it.
  const named = useView((view) => view.route.site);
  const screen = useView((view) => view.route.screen);
  const site = sites?.find((known) => known.site === named) ?? null;
  useChosenSite(sites, named);
  useProbing(site);
  useFirstSync(site);
  useAutomaticSync(site);
  useEffect(keepFocus, []);
  return (
    <div className="frame">
      <Shortcuts />
      <button type="button" className="skip" onClick={focusContent}>
        {words.frame.skip}
      </button>
      <Sidebar site={site} sites={sites ?? []} />
      <div className="frame-main">
        <Banners site={site} />
        <main id="content" className="frame-screen" tabIndex={-1}>
          {error && !sites ? (
            <ErrorNote error={error} />
          ) : (
            sites &&
            (site || ownPlace(screen) ? <ScreenInFront site={site} /> : sites.length === 0 && <Welcome />)
          )}
        </main>
      </div>
      <Arrival key={screen} />
      <Dialogs />
      <Notices />
    </div>
  );
}

/** Each screen is arrived at anew. */
function Arrival() {
  useEffect(focusOnArrival, []);
  return null;
}

/** Screens that need no site. */
function ownPlace(screen: string): boolean {
  return screen === 'sites' || screen === 'settings';
}

/**
 * Opens the site of last time, or the first there is, where the address names none. One that the list does not have yet was connected a
 * moment ago: it is asked for before another takes its place.
 */
function useChosenSite(sites: readonly Site[] | undefined, named: string | null): void {
  const client = useClient();
  useEffect(() => {
    if (!sites) return;
    if (sites.some((site) => site.site === named)) {
      if (useChosen.getState()['site.last'] !== named) choose('site.last', named);
      return;
    }
    if (named === null) return openAnother(sites);
    let waiting = true;
    client.sites.get({ site: named }).catch(() => waiting && openAnother(sites));
    return () => {
      waiting = false;
    };
  }, [client, sites, named]);
}

function openAnother(sites: readonly Site[]): void {
  const last = sites.find((site) => site.site === useChosen.getState()['site.last']);
  const first = last ?? sites.find((site) => !site.demo) ?? sites[0];
  if (first) go({ site: first.site }, true);
}

/** A site that was never synced has nothing to show: its first sync starts by itself. */
function useFirstSync(site: Site | null): void {
  const client = useClient();
  const { data: status } = useQuery('sync.status', site ? { site: site.site } : null);
  const name = site?.site ?? null;
  const never = status?.site === name && status?.last === null && status.running === null;
  useEffect(() => {
    if (!name || !never) return;
    client.sync.start({ site: name }).catch((thrown: unknown) => {
      const error = errorOf(thrown);
      // Another window was quicker.
      if (error.code !== 'conflict') notify(errorLine(error), 'bad');
    });
  }, [client, name, never]);
}

function Banners({ site }: { readonly site: Site | null }) {
  const reconnecting = useConnectionState().phase === 'lost';
  return (
    <>
      {reconnecting && (
        <div className="banner banner-warn" role="status">
          <RefreshCw size={14} aria-hidden="true" />
          {words.frame.lostBanner}
        </div>
      )}
      {site && <DamagedBooks site={site.site} />}
      {site?.demo && (
        <section className="banner" aria-label={words.frame.demoTag}>
          <span className="tag">{words.frame.demoTag}</span>
          <span className="banner-text">{words.frame.demoBanner}</span>
          <Button size="small" onPress={() => openDialog({ kind: 'connect' })}>
            {words.sites.connect}
          </Button>
        </section>
      )}
    </>
  );
}

function Welcome() {
  return (
    <Empty
      icon={RefreshCw}
      title={words.frame.welcome}
      action={
        <Button kind="primary" size="large" onPress={() => openDialog({ kind: 'connect' })}>
          {words.sites.connect}
        </Button>
      }
    >
      {words.frame.welcomeText}
    </Empty>
  );
}
