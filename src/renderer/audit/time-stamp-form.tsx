import { Stamp } from 'lucide-react';
import { useState } from 'react';
import type { Site } from '../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.audit;

/** Form that requests a time stamp of the audit log. Proposes the authority used last. */
export function TimeStampForm({ site, onStamped }: { readonly site: Site; readonly onStamped: () => void }) {
  const client = useContractClient();
  const { data: settings } = useQuery('settings.all', {});
  const [typed, setTyped] = useState<string | null>(null);
  const last = settings?.['audit.time_stamp_authority'];
  const authority = (typed ?? (typeof last === 'string' ? last : '')).trim();
  const stamping = useAction(async () => {
    await client.audit.timeStamp({ site: site.site, authority });
    onStamped();
  });
  const isAddress = /^https?:\/\/./i.test(authority);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isAddress) void stamping.run();
      }}
    >
      <div className="audit-known-hash">
        <TextInput
          label={text.timeStampAuthority}
          value={typed ?? authority}
          onChange={setTyped}
          placeholder="https://"
          maxLength={500}
        />
        <Button
          type="submit"
          size="small"
          icon={Stamp}
          isPending={stamping.running}
          disabledReason={isAddress ? null : text.invalidAuthority}
        >
          {text.timeStamp}
        </Button>
      </div>
      <small>{text.timeStampHint}</small>
      {stamping.error && <ErrorMessage error={stamping.error} site={site.site} />}
    </form>
  );
}
