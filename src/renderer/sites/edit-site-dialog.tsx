import { useState } from 'react';
import type { Site } from '../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { closeDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { SiteFields } from './site-fields.tsx';
import { hasNoProblems, type SiteDraft, validateSiteDraft } from './site-form.ts';

const text = texts.sites;

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
    if (hasNoProblems(problems) && (await saving.run())) closeDialog();
  };
  return (
    <Dialog
      title={text.editTitle(site.title)}
      onClose={closeDialog}
      footer={
        <>
          <Button onPress={closeDialog}>{texts.controls.cancel}</Button>
          <Button kind="primary" onPress={() => void save()} isPending={saving.running}>
            {text.save}
          </Button>
        </>
      }
    >
      <form
        className="site-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <SiteFields draft={draft} onChange={setDraft} problems={problems} withKey={false} />
        <button type="submit" hidden />
      </form>
      {saving.error && <ErrorMessage error={saving.error} site={site.site} />}
    </Dialog>
  );
}
