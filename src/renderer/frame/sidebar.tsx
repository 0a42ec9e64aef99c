import { Bookmark, Building2, ChevronsUpDown, Plus, Search, X } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import type { Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { commandNamed } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import { Keys } from '../controls/keys.tsx';
import { Menu } from '../controls/menu.tsx';
import { JobTray } from '../jobs/job-tray.tsx';
import { choose, type SavedView, useChosen } from '../settings/chosen.ts';
import { routeText, type Screen } from '../view/route.ts';
import { go, openDialog, showFiltered, useView } from '../view/view.ts';
import { countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { Freshness } from './freshness.tsx';
import { Mark } from './mark.tsx';
import './sidebar.css';

const groups: readonly (readonly Screen[])[] = [
  ['overview', 'exceptions', 'rules'],
  ['webhooks', 'outages', 'replays'],
  ['statements', 'subscriptions', 'allocations', 'archive'],
  ['bank', 'matching', 'periods'],
  ['audit', 'backups', 'sync', 'sites', 'settings'],
];

interface SidebarProps {
  readonly site: Site | null;
  readonly sites: readonly Site[];
}

/** Which site, where in it, how fresh it is, and what runs. */
export function Sidebar({ site, sites }: SidebarProps) {
  return (
    <div className="sidebar">
      <SiteSwitcher site={site} sites={sites} />
      <AriaButton className="sidebar-search" onPress={() => openDialog({ kind: 'palette' })}>
        <Search size={14} aria-hidden="true" />
        <span>{words.palette.openShort}</span>
        <Keys keys="Mod+K" />
      </AriaButton>
      <nav className="sidebar-nav" aria-label={words.frame.navigation}>
        {groups.map((screens) => (
          <ul key={screens[0]}>
            {screens.map((screen) => (
              <NavItem key={screen} screen={screen} site={site} />
            ))}
          </ul>
        ))}
      </nav>
      <div className="sidebar-foot">
        {site && <JobTray site={site.site} />}
        {site && <Freshness site={site} />}
      </div>
    </div>
  );
}

function NavItem({ screen, site }: { readonly screen: Screen; readonly site: Site | null }) {
  const here = useView((view) => view.route.screen === screen);
  const views = useChosen((chosen) => chosen.views);
  const Icon = commandNamed(`go.${screen}`).icon;
  const title = words.frame.screens[screen];
  const mine = views.filter((view) => view.screen === screen);
  return (
    <li>
      <a
        className="nav-item"
        href={routeText({ site: site?.site ?? null, screen, item: null })}
        aria-current={here ? 'page' : undefined}
        onClick={(event) => {
          event.preventDefault();
          go({ screen, item: null });
        }}
      >
        {Icon && <Icon size={16} strokeWidth={1.85} aria-hidden="true" />}
        <span>{title}</span>
        {site && <NavCount screen={screen} site={site.site} />}
      </a>
      {mine.length > 0 && (
        <ul className="nav-views" aria-label={words.frame.views(title)}>
          {mine.map((view) => (
            <ViewItem key={view.id} view={view} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** What waits on a screen: open exceptions, failed webhooks, unpaid statements. */
function NavCount({ screen, site }: { readonly screen: Screen; readonly site: string }) {
  const { data: webhooks } = useQuery('webhooks.facets', screen === 'webhooks' ? { site } : null);
  const { data: statements } = useQuery('statements.facets', screen === 'statements' ? { site } : null);
  const { data: checked } = useQuery('check.summary', screen === 'exceptions' ? { site } : null);
  const [count, what] = checked
    ? [checked.exceptions.open, words.exceptions.statuses.open]
    : webhooks
      ? [webhooks.delivery.failed, words.webhooks.delivery.failed]
      : [statements?.unpaid ?? 0, words.statements.states.unpaid];
  if (count === 0) return null;
  return (
    <span className="nav-count" title={`${countText(count)} ${what}`}>
      {countText(count)}
      <span className="unseen"> {what}</span>
    </span>
  );
}

function ViewItem({ view }: { readonly view: SavedView }) {
  const forget = () =>
    choose(
      'views',
      useChosen.getState().views.filter(({ id }) => id !== view.id),
    );
  return (
    <li className="nav-view">
      <AriaButton className="nav-item nav-item-view" onPress={() => showFiltered(view.screen, view.filter)}>
        <Bookmark size={12} aria-hidden="true" />
        <span>{view.name}</span>
      </AriaButton>
      <Button
        kind="quiet"
        size="small"
        icon={X}
        label={words.filters.forgetView(view.name)}
        onPress={forget}
      />
    </li>
  );
}

function SiteSwitcher({ site, sites }: SidebarProps) {
  return (
    <Menu
      label={words.frame.switchSite}
      trigger={
        <AriaButton className="switcher">
          <Mark of={site} />
          <span className="switcher-names">
            <span className="unseen">{words.frame.switchSite}: </span>
            <b>{site?.title ?? words.frame.product}</b>
            <small>{site ? placeOf(site) : words.frame.noSite}</small>
          </span>
          <ChevronsUpDown size={14} aria-hidden="true" />
        </AriaButton>
      }
      groups={[
        {
          title: words.frame.yourSites,
          entries: sites.map((known) => ({
            id: known.site,
            label: known.title,
            hint: placeOf(known),
            checked: known.site === site?.site,
            run: () => go({ site: known.site, item: null }),
          })),
        },
        {
          entries: [
            {
              id: 'connect',
              label: words.sites.connect,
              icon: Plus,
              run: () => openDialog({ kind: 'connect' }),
            },
            {
              id: 'manage',
              label: words.frame.manageSites,
              icon: Building2,
              run: () => go({ screen: 'sites' }),
            },
          ],
        },
      ]}
    />
  );
}

/** Where a site's data is from, for telling sites apart. */
function placeOf({ demo, base_url: address }: Site): string {
  if (demo) return words.frame.demoPlace;
  return URL.canParse(address) ? new URL(address).host : address;
}
