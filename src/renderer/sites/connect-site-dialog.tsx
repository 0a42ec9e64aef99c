import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useAction, useContractClient, useLatestAction } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { closeDialog, navigate, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { SiteFields } from './site-fields.tsx';
import { hasNoProblems, type SiteDraft, validateSiteDraft } from './site-form.ts';

const text = texts.sites;
const emptyDraft: SiteDraft = { title: '', address: '', key: '', format: 'json', currency: 'USD' };

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
  const testing = useLatestAction(() => client.sites.test(base));
  const adding = useAction(() =>
    client.sites.add({ ...base, title: draft.title.trim(), currency: draft.currency, demo: false }),
  );
  const error = adding.error ?? testing.error;

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
    if (!hasNoProblems(problems)) return focusFirstProblem();
    const site = await adding.run();
    if (!site) return;
    setDraft(emptyDraft);
    closeDialog();
    navigate({ site: site.site, screen: 'webhooks', item: null });
    showNotice(text.connected(site.title), 'good');
  };

  return (
    <Dialog
      title={text.connectTitle}
      onClose={closeDialog}
      dismissable={false}
      footer={
        <>
          <span className="push">
            <Button onPress={test} isPending={testing.running}>
              {text.test}
            </Button>
          </span>
          <Button onPress={closeDialog}>{texts.controls.cancel}</Button>
          <Button kind="primary" onPress={() => void connect()} isPending={adding.running}>
            {text.connectNow}
          </Button>
        </>
      }
    >
      <p>{text.connectText}</p>
      <form
        className="site-form"
        onSubmit={(event) => {
          event.preventDefault();
          void connect();
        }}
      >
        <SiteFields draft={draft} onChange={change} problems={isSubmitted ? problems : null} withKey />
        <button type="submit" hidden />
      </form>
      {error && <ErrorMessage error={error} site={null} />}
      {testing.done && !error && (
        <p className="callout callout-good" role="status">
          <CircleCheck size={16} aria-hidden="true" />
          <span>
            {text.testResult(testing.done.message, testing.done.ms)}
            {testing.done.utc_offset && ` ${text.offset(testing.done.utc_offset)}`}
          </span>
        </p>
      )}
    </Dialog>
  );
}
