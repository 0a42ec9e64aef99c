import { Building2, Ellipsis } from 'lucide-react';
import type { ComponentProps } from 'react';
import type { Site } from '../../contract/index.ts';
import { describeServiceDetails } from '../../domain/labels/service-details.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { probeService } from '../backend-client/service-availability.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { DateTime, LabeledValueList, RelativeTime } from '../controls/formatted-values.tsx';
import { Menu } from '../controls/menu.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { ScreenLayout } from '../layout/screen-layout.tsx';
import { SiteBadge } from '../layout/site-badge.tsx';
import { navigate, openDialog, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import './sites.css';

const text = texts.sites;

export function SitesScreen() {
  const { data: sites } = useQuery('sites.list', {});
  return (
    <ScreenLayout title={text.title} actions={<CommandButton id="site.connect" kind="primary" />}>
      <div className="page">
        {sites?.length === 0 ? (
          <EmptyState
            icon={Building2}
            title={text.emptyTitle}
            action={<CommandButton id="site.connect" kind="primary" />}
            text={text.emptyText}
          />
        ) : (
          <ul className="page-inner sites">
            {sites?.map((site) => (
              <SiteCard key={site.site} site={site} />
            ))}
          </ul>
        )}
      </div>
    </ScreenLayout>
  );
}

function SiteCard({ site }: { readonly site: Site }) {
  const client = useContractClient();
  const isSelected = useWindowState((view) => view.route.site === site.site);
  const testing = useAction(() =>
    client.sites.test({ site: site.site }).finally(() => probeService(client, site.site)),
  );
  return (
    <li className="site">
      <header>
        <SiteBadge site={site} />
        <div className="site-names">
          <h2>{site.title}</h2>
          <span className="fineprint">{site.base_url}</span>
        </div>
        {site.demo && <span className="tag">{texts.frame.demoTag}</span>}
        <div className="site-actions">
          <Button isPending={testing.running} onPress={() => void testing.run()}>
            {text.test}
          </Button>
          <Button
            disabledReason={isSelected ? text.alreadyOpen : null}
            onPress={() => navigate({ site: site.site, screen: 'webhooks' })}
          >
            {text.open}
          </Button>
          <SiteMenu site={site} />
        </div>
      </header>
      <LabeledValueList sideBySide rows={siteFacts(site)} />
      {site.service_details && (
        <p className="fineprint">{describeServiceDetails(site.service_details).join(' ')}</p>
      )}
      {!site.has_key && !site.demo && (
        <div className="site-key-missing">
          <p>{text.keyMissing}</p>
          <Button onPress={() => openDialog({ kind: 'replaceKey', site: site.site })}>{text.enterKey}</Button>
        </div>
      )}
      {testing.error && (
        <ErrorMessage error={testing.error} site={site.site} onRetry={() => void testing.run()} />
      )}
      {testing.done && (
        <p className="callout callout-good" role="status">
          {text.testResult(testing.done.message, testing.done.ms)}
        </p>
      )}
    </li>
  );
}

function SiteMenu({ site }: { readonly site: Site }) {
  const disabledReason = site.demo ? text.demoIsFixed : null;
  const open = (kind: 'editSite' | 'replaceKey' | 'removeSite') => () =>
    openDialog({ kind, site: site.site });
  return (
    <Menu
      label={text.actions(site.title)}
      placement="bottom end"
      trigger={<Button kind="quiet" icon={Ellipsis} label={text.actions(site.title)} />}
      groups={[
        {
          entries: [
            { id: 'edit', label: text.edit, disabledReason, run: open('editSite') },
            { id: 'key', label: text.replaceKey, disabledReason, run: open('replaceKey') },
          ],
        },
        { entries: [{ id: 'remove', label: text.remove, isDanger: true, run: open('removeSite') }] },
      ]}
    />
  );
}

function siteFacts(site: Site): ComponentProps<typeof LabeledValueList>['rows'] {
  const key = site.key_hint ? text.keyEnding(site.key_hint) : site.has_key ? '••••' : text.noKey;
  return [
    site.demo ? null : [text.key, site.is_session_key ? text.forSession(key) : key],
    [text.format, text.formats[site.format]],
    [text.currency, site.currency],
    [text.lastSynced, <RelativeTime key="synced" at={site.last_synced_at} />],
    [text.since, <DateTime key="since" at={site.created_at} />],
  ];
}
