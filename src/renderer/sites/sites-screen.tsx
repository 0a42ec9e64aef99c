import { Building2, Ellipsis } from 'lucide-react';
import type { Site } from '../../contract/index.ts';
import { useAction, useClient, useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import { Menu } from '../controls/menu.tsx';
import { Empty } from '../controls/pieces.tsx';
import { Ago, Facts, Moment } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { Mark } from '../frame/mark.tsx';
import { probe } from '../frame/reach.ts';
import { Screen } from '../frame/screen.tsx';
import { go, openDialog, useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import './sites.css';

const text = words.sites;

/** The sites kept, and the way to one more. */
export function SitesScreen() {
  const { data: sites } = useQuery('sites.list', {});
  return (
    <Screen title={text.title} actions={<CommandButton id="site.connect" kind="primary" />}>
      <div className="page">
        {sites?.length === 0 ? (
          <Empty
            icon={Building2}
            title={text.emptyTitle}
            action={<CommandButton id="site.connect" kind="primary" />}
          >
            {text.emptyText}
          </Empty>
        ) : (
          <ul className="page-inner sites">
            {sites?.map((site) => (
              <SiteCard key={site.site} site={site} />
            ))}
          </ul>
        )}
      </div>
    </Screen>
  );
}

function SiteCard({ site }: { readonly site: Site }) {
  const client = useClient();
  const here = useView((view) => view.route.site === site.site);
  const testing = useAction(() =>
    client.sites.test({ site: site.site }).finally(() => probe(client, site.site)),
  );
  return (
    <li className="site">
      <header>
        <Mark of={site} />
        <div className="site-names">
          <h2>{site.title}</h2>
          <span className="fineprint">{site.base_url}</span>
        </div>
        {site.demo && <span className="tag">{words.frame.demoTag}</span>}
        <div className="site-actions">
          <Button pending={testing.running} onPress={() => void testing.run()}>
            {text.test}
          </Button>
          <Button
            reason={here ? text.inFront : null}
            onPress={() => go({ site: site.site, screen: 'webhooks' })}
          >
            {text.open}
          </Button>
          <Menu
            label={text.actions(site.title)}
            placement="bottom end"
            trigger={<Button kind="quiet" icon={Ellipsis} label={text.actions(site.title)} />}
            groups={[
              {
                entries: [
                  {
                    id: 'edit',
                    label: text.edit,
                    reason: site.demo ? text.demoHasNone : null,
                    run: () => openDialog({ kind: 'editSite', site: site.site }),
                  },
                  {
                    id: 'key',
                    label: text.replaceKey,
                    reason: site.demo ? text.demoHasNone : null,
                    run: () => openDialog({ kind: 'replaceKey', site: site.site }),
                  },
                ],
              },
              {
                entries: [
                  {
                    id: 'remove',
                    label: text.remove,
                    danger: true,
                    run: () => openDialog({ kind: 'removeSite', site: site.site }),
                  },
                ],
              },
            ]}
          />
        </div>
      </header>
      <Facts
        across
        rows={[
          site.demo
            ? null
            : [text.key, site.key_hint ? text.keyEnding(site.key_hint) : site.has_key ? '••••' : text.noKey],
          [text.format, text.formats[site.format]],
          [text.currency, site.currency],
          [text.lastSynced, <Ago key="synced" at={site.last_synced_at} />],
          [text.since, <Moment key="since" at={site.created_at} />],
        ]}
      />
      {testing.error && (
        <ErrorNote error={testing.error} site={site.site} onRetry={() => void testing.run()} />
      )}
      {testing.done && (
        <p className="callout callout-good" role="status">
          {text.answered(testing.done.message, testing.done.ms)}
        </p>
      )}
    </li>
  );
}
