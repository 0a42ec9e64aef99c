import { Bookmark, Building2, ChevronDown, ChevronsUpDown, Plus, Search, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { findCommand } from '../commands/command-registry.ts';
import { Button } from '../controls/button.tsx';
import { KeyCaps } from '../controls/key-caps.tsx';
import { Menu } from '../controls/menu.tsx';
import { SiteBadge } from '../layout/site-badge.tsx';
import { formatRoute, type ScreenName } from '../navigation/route.ts';
import { navigate, openDialog, openFilteredList, useWindowState } from '../navigation/window-state.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { changeUserSetting, type SavedView, useUserSettings } from '../user-settings/user-settings.ts';
import { JobTray } from './job-tray.tsx';
import { SyncStatusLine } from './sync-status.tsx';
import './sidebar.css';

type SectionName = keyof typeof texts.frame.sections;

const sections: readonly (readonly [SectionName, readonly ScreenName[]])[] = [
  ['review', ['overview', 'exceptions', 'rules']],
  ['delivery', ['webhooks', 'outages', 'replays']],
  ['billing', ['statements', 'subscriptions', 'allocations', 'archive']],
  ['reconciliation', ['bank', 'matching', 'periods']],
  ['administration', ['audit', 'backups', 'sync', 'sites', 'settings']],
];

interface SidebarProps {
  readonly site: Site | null;
  readonly sites: readonly Site[];
}

/** Sidebar with the site switcher, navigation, job tray, and sync status. */
export function Sidebar({ site, sites }: SidebarProps) {
  return (
    <div className="sidebar">
      <SiteSwitcher site={site} sites={sites} />
      <div className="sidebar-top">
        <AriaButton className="sidebar-search" onPress={() => openDialog({ kind: 'palette' })}>
          <Search size={14} aria-hidden="true" />
          <span>{texts.palette.openShort}</span>
          <KeyCaps keys="Mod+K" />
        </AriaButton>
        <CommandButton id="help.open" kind="quiet" iconOnly />
      </div>
      <nav className="sidebar-nav" aria-label={texts.frame.navigation}>
        {sections.map(([section, screens]) => (
          <NavSection key={section} section={section}>
            {screens.map((screen) => (
              <NavItem key={screen} screen={screen} site={site} />
            ))}
          </NavSection>
        ))}
      </nav>
      <div className="sidebar-foot">
        {site && <JobTray site={site.site} />}
        {site && <SyncStatusLine site={site} />}
      </div>
    </div>
  );
}

/** Section of the navigation with a heading that collapses it. The current screen stays visible. */
function NavSection({ section, children }: { readonly section: SectionName; readonly children: ReactNode }) {
  const collapsed = useUserSettings((settings) => settings['sidebar.collapsed']);
  const isCollapsed = collapsed.includes(section);
  const toggle = () =>
    changeUserSetting(
      'sidebar.collapsed',
      isCollapsed ? collapsed.filter((other) => other !== section) : [...collapsed, section],
    );
  const title = texts.frame.sections[section];
  return (
    <div className={isCollapsed ? 'nav-section nav-section-collapsed' : 'nav-section'}>
      <AriaButton className="nav-heading" aria-expanded={!isCollapsed} onPress={toggle}>
        <span>{title}</span>
        <ChevronDown size={12} aria-hidden="true" />
      </AriaButton>
      <ul aria-label={title}>{children}</ul>
    </div>
  );
}

function NavItem({ screen, site }: { readonly screen: ScreenName; readonly site: Site | null }) {
  const isCurrent = useWindowState((state) => state.route.screen === screen);
  const views = useUserSettings((settings) => settings.views);
  const Icon = findCommand(`go.${screen}`).icon;
  const title = texts.frame.screens[screen];
  const screenViews = views.filter((view) => view.screen === screen);
  return (
    <li>
      <a
        className="nav-item"
        title={title}
        href={formatRoute({ site: site?.site ?? null, screen, item: null })}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={(event) => {
          event.preventDefault();
          navigate({ screen, item: null });
        }}
      >
        {Icon && <Icon size={16} strokeWidth={1.85} aria-hidden="true" />}
        <span>{title}</span>
        {site && <NavCount screen={screen} site={site.site} />}
      </a>
      {screenViews.length > 0 && (
        <ul className="nav-views" aria-label={texts.frame.views(title)}>
          {screenViews.map((view) => (
            <SavedViewItem key={view.id} view={view} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** Shows how many items need attention on a screen: open exceptions, failed webhooks, or unpaid statements. */
function NavCount({ screen, site }: { readonly screen: ScreenName; readonly site: string }) {
  const { data: webhooks } = useQuery('webhooks.facets', screen === 'webhooks' ? { site } : null);
  const { data: statements } = useQuery('statements.facets', screen === 'statements' ? { site } : null);
  const { data: checked } = useQuery('check.summary', screen === 'exceptions' ? { site } : null);
  const [count, label] = checked
    ? [checked.exceptions.open, texts.exceptions.statuses.open]
    : webhooks
      ? [webhooks.delivery.failed, texts.webhooks.delivery.failed]
      : [statements?.unpaid ?? 0, texts.statements.states.unpaid];
  if (count === 0) return null;
  return (
    <span className="nav-count" title={`${formatCount(count)} ${label}`}>
      {formatCount(count)}
      <span className="visually-hidden"> {label}</span>
    </span>
  );
}

function SavedViewItem({ view }: { readonly view: SavedView }) {
  const remove = () =>
    changeUserSetting(
      'views',
      useUserSettings.getState().views.filter(({ id }) => id !== view.id),
    );
  return (
    <li className="nav-view">
      <AriaButton
        className="nav-item nav-item-view"
        onPress={() => openFilteredList(view.screen, view.filter)}
      >
        <Bookmark size={12} aria-hidden="true" />
        <span>{view.name}</span>
      </AriaButton>
      <Button
        kind="quiet"
        size="small"
        icon={X}
        label={texts.filters.deleteView(view.name)}
        onPress={remove}
      />
    </li>
  );
}

function SiteSwitcher({ site, sites }: SidebarProps) {
  return (
    <Menu
      label={texts.frame.switchSite}
      trigger={
        <AriaButton className="site-switcher">
          <SiteBadge site={site} />
          <span className="site-switcher-names">
            <span className="visually-hidden">{texts.frame.switchSite}: </span>
            <b>{site?.title ?? texts.frame.product}</b>
            <small>{site ? siteSourceText(site) : texts.frame.noSite}</small>
          </span>
          <ChevronsUpDown size={14} aria-hidden="true" />
        </AriaButton>
      }
      groups={[
        {
          title: texts.frame.yourSites,
          entries: sites.map((known) => ({
            id: known.site,
            label: known.title,
            hint: siteSourceText(known),
            isChecked: known.site === site?.site,
            run: () => navigate({ site: known.site, item: null }),
          })),
        },
        {
          entries: [
            {
              id: 'connect',
              label: texts.sites.connect,
              icon: Plus,
              run: () => openDialog({ kind: 'connect' }),
            },
            {
              id: 'manage',
              label: texts.frame.manageSites,
              icon: Building2,
              run: () => navigate({ screen: 'sites' }),
            },
          ],
        },
      ]}
    />
  );
}

/** Returns a text that names the source of a site's data, so that users can tell sites apart. */
function siteSourceText({ demo, base_url: address }: Site): string {
  if (demo) return texts.frame.demoData;
  return URL.canParse(address) ? new URL(address).host : address;
}
