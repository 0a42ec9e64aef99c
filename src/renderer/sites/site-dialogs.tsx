import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { Site } from '../../contract/index.ts';
import { INVOICE_SITE_TEXT } from '../../domain/labels/service-details.ts';
import {
  useAction,
  useContractClient,
  useLatestOnlyAction,
  useQuery,
} from '../backend-client/backend-hooks.ts';
import { probeService } from '../backend-client/service-availability.ts';
import { Button } from '../controls/button.tsx';
import { EnterKeyForm, FormDialog } from '../layout/form-dialog.tsx';
import { closeDialog, navigate, showNotice, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { ApiKeyField } from './api-key-field.tsx';
import { useSessionKeyChoice } from './session-key-option.tsx';
import { isSiteDraftValid, type SiteDraft, validateSiteDraft } from './site-draft.ts';
import { SiteFormFields } from './site-form-fields.tsx';

const text = texts.sites;
const emptyDraft: SiteDraft = { title: '', address: '', key: '', format: 'json', currency: '' };

/** Focuses the first invalid field after the error messages have rendered. */
function focusFirstProblem(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.site-form input[aria-invalid]')?.focus());
}

/** Dialog for connecting a site. The API key is sent once and stays in memory only while the dialog is open. */
export function ConnectSiteDialog() {
  const client = useContractClient();
  const [draft, setDraft] = useState(emptyDraft);
  const [isSubmitted, setSubmitted] = useState(false);
  const problems = validateSiteDraft(draft, true);
  const base = { base_url: draft.address.trim(), format: draft.format, api_key: draft.key.trim() };
  const testing = useLatestOnlyAction(() => client.sites.test(base));
  const adding = useAction(() =>
    client.sites.add({
      ...base,
      title: draft.title.trim(),
      demo: false,
      allow_session_key: sessionKey.isAllowed,
      ...(draft.currency !== '' && { currency: draft.currency }),
    }),
  );
  const error = adding.error ?? testing.error;
  const sessionKey = useSessionKeyChoice(adding.error);

  const change = (next: SiteDraft) => {
    setDraft(next);
    testing.reset();
    adding.reset();
  };
  const test = () => {
    adding.reset();
    setSubmitted(true);
    if (!problems.address && !problems.key) void testing.run();
  };
  const connect = async () => {
    testing.reset();
    setSubmitted(true);
    if (!isSiteDraftValid(problems)) return focusFirstProblem();
    const site = await adding.run();
    if (!site) return;
    setDraft(emptyDraft);
    closeDialog();
    navigate({ site: site.site, screen: 'webhooks', item: null });
    if (site.service_details?.bills_by === 'invoices') showNotice(INVOICE_SITE_TEXT);
    else showNotice(text.connected(site.title), 'good');
    if (site.is_session_key) showNotice(text.sessionKeyStored);
  };

  return (
    <FormDialog
      title={text.connectTitle}
      dismissable={false}
      tools={
        <Button onPress={test} isPending={testing.running}>
          {text.test}
        </Button>
      }
      submitLabel={text.connectNow}
      action={{ running: adding.running, error }}
      site={null}
      onSubmit={connect}
    >
      <p>{text.connectText}</p>
      <EnterKeyForm className="site-form" onSubmit={connect}>
        <SiteFormFields
          draft={draft}
          onChange={change}
          problems={isSubmitted ? problems : null}
          sessionKey={sessionKey}
        />
      </EnterKeyForm>
      {testing.done && !error && (
        <p className="callout callout-good" role="status">
          <CircleCheck size={16} aria-hidden="true" />
          <span>
            {text.testResult(testing.done.message, testing.done.ms)}
            {testing.done.utc_offset && ` ${text.offset(testing.done.utc_offset)}`}
          </span>
        </p>
      )}
    </FormDialog>
  );
}

export function EditSiteDialog({ site: name }: { readonly site: string }) {
  const { data: site } = useQuery('sites.get', { site: name });
  return site ? <EditSiteForm site={site} /> : null;
}

function EditSiteForm({ site }: { readonly site: Site }) {
  const client = useContractClient();
  const [draft, setDraft] = useState<SiteDraft>({
    title: site.title,
    address: site.base_url,
    key: '',
    format: site.format,
    currency: site.currency,
  });
  const problems = validateSiteDraft(draft, false);
  const saving = useAction(() =>
    client.sites.update({
      site: site.site,
      title: draft.title.trim(),
      base_url: draft.address.trim(),
      format: draft.format,
      currency: draft.currency,
    }),
  );
  const save = async () => {
    if (isSiteDraftValid(problems) && (await saving.run())) closeDialog();
  };
  return (
    <FormDialog
      title={text.editTitle(site.title)}
      submitLabel={text.save}
      action={saving}
      onSubmit={save}
      site={site.site}
    >
      <EnterKeyForm className="site-form" onSubmit={save}>
        <SiteFormFields draft={draft} onChange={setDraft} problems={problems} sessionKey={null} />
      </EnterKeyForm>
    </FormDialog>
  );
}

/** Dialog that asks for confirmation before a site is removed and its folder is moved to `removed`. */
export function RemoveSiteDialog({ site }: { readonly site: string }) {
  const client = useContractClient();
  const { data: siteData } = useQuery('sites.get', { site });
  const removing = useAction(() => client.sites.remove({ site }));
  const remove = async () => {
    const removed = await removing.run();
    if (!removed) return;
    closeDialog();
    showNotice(text.removed(removed.set_aside));
    if (useWindowState.getState().route.site === site) navigate({ site: null, screen: 'sites' }, true);
  };
  return (
    <FormDialog
      title={text.removeTitle(siteData?.title ?? site)}
      size="small"
      submitLabel={text.remove}
      danger
      action={removing}
      onSubmit={remove}
    >
      <p>{text.removeText}</p>
    </FormDialog>
  );
}

/** Dialog for replacing a site's API key. The new key is stored only after the service has accepted it. */
export function ReplaceKeyDialog({ site }: { readonly site: string }) {
  const client = useContractClient();
  const { data: siteData } = useQuery('sites.get', { site });
  const [key, setKey] = useState('');
  const replacing = useAction(() =>
    client.sites.replaceKey({ site, api_key: key.trim(), allow_session_key: sessionKey.isAllowed }),
  );
  const sessionKey = useSessionKeyChoice(replacing.error);
  const isMissing = siteData?.has_key === false;
  const replace = async () => {
    const replaced = key.trim() === '' ? null : await replacing.run();
    if (!replaced) return;
    setKey('');
    closeDialog();
    if (replaced.is_session_key) showNotice(`${text.keyAccepted} ${text.sessionKeyStored}`, 'good');
    else showNotice(text.keyReplaced, 'good');
    void probeService(client, site);
  };
  return (
    <FormDialog
      title={(isMissing ? text.enterKeyTitle : text.replaceKeyTitle)(siteData?.title ?? site)}
      submitLabel={isMissing ? text.enterKey : text.replaceKey}
      action={replacing}
      disabledReason={key.trim() === '' ? text.missing.key : null}
      onSubmit={replace}
      site={null}
    >
      <p>{isMissing ? text.enterKeyText : text.replaceKeyText}</p>
      <EnterKeyForm className="site-form" onSubmit={replace}>
        <ApiKeyField
          label={isMissing ? text.key : text.newKey}
          value={key}
          onChange={setKey}
          sessionKey={sessionKey}
          autoFocus
        />
      </EnterKeyForm>
    </FormDialog>
  );
}
