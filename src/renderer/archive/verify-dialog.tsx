import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import type { BagVerdict } from '../../contract/index.ts';
import { useClient, useNewest } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { CopyButton, Progress } from '../controls/pieces.tsx';
import { Status } from '../controls/status.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { Facts } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { closeDialog, say } from '../view/view.ts';
import { words } from '../words/words.ts';
import { PlaceField } from './place-field.tsx';

const text = words.archive.verifying;

/** Checks any export or evidence pack of this computer, byte by byte. */
export function VerifyDialog({ given }: { readonly given: string }) {
  const client = useClient();
  const [path, setPath] = useState(given);
  const verifying = useNewest(async () => {
    const verdict = await client.archive.verify({ path: path.trim() });
    say(verdictText(verdict));
    return verdict;
  });
  const change = (to: string) => {
    setPath(to);
    verifying.reset();
  };
  return (
    <Dialog
      title={text.title}
      onClose={closeDialog}
      footer={
        <>
          <Button onPress={closeDialog}>{words.archive.close}</Button>
          <Button
            kind="primary"
            pending={verifying.running}
            reason={path.trim() === '' ? words.archive.exporting.placeNeeded : null}
            onPress={() => void verifying.run()}
          >
            {text.run}
          </Button>
        </>
      }
    >
      <p>{text.text}</p>
      <PlaceField label={text.path} value={path} onChange={change} autoFocus={given === ''} />
      {verifying.running && (
        <>
          <p role="status">{text.reading}</p>
          <Progress label={text.reading} done={0} total={null} />
        </>
      )}
      {verifying.done && <Verdict verdict={verifying.done} />}
      {verifying.error && <ErrorNote error={verifying.error} />}
    </Dialog>
  );
}

const verdictText = ({ ok, files, bytes, wrong }: BagVerdict): string =>
  ok ? text.sound(files, bytes) : text.wrong(wrong, files);

function Verdict({ verdict }: { readonly verdict: BagVerdict }) {
  const { ok, receipt, info, problems, wrong } = verdict;
  return (
    <>
      <Status tone={ok ? 'good' : 'bad'} icon={ok ? CircleCheck : CircleX}>
        {verdictText(verdict)}
      </Status>
      {problems.length > 0 && (
        <div className="archive-list">
          <table className="table">
            <TableHead titles={[text.columns.path, text.columns.what]} />
            <tbody>
              {problems.slice(0, 100).map(({ path, what }) => (
                <tr key={`${path} ${what}`}>
                  <th scope="row">{path}</th>
                  <td>{what}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {wrong > 100 && <p className="fineprint">{text.more(wrong - 100)}</p>}
        </div>
      )}
      <Facts
        rows={[
          ...info.map(({ label, value }) => [label, value] as const),
          receipt === null
            ? null
            : [words.archive.exporting.results.receipt, <Receipt key="receipt" receipt={receipt} />],
        ]}
      />
    </>
  );
}

/** What stands for every byte of an export, to be noted elsewhere. */
export function Receipt({ receipt }: { readonly receipt: string }) {
  return (
    <span className="archive-receipt">
      <code>{receipt}</code>
      <CopyButton text={receipt} label={words.archive.copyReceipt} />
    </span>
  );
}
