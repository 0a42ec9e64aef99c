import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { Person } from '../../contract/index.ts';
import { formatSigningKey } from '../../domain/labels/periods.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { DateTime } from '../controls/formatted-values.tsx';
import { Panel } from '../controls/panel.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { DataTable } from '../controls/table-head.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.settings;

/** Panel that lists the people who sign on this computer with their keys, and adds people. */
export function PeoplePanel() {
  const client = useContractClient();
  const { data: people, error } = useQuery('people.list', {});
  const [name, setName] = useState('');
  const adding = useAction(() => client.people.add({ name: name.trim() }));
  const add = async () => {
    if (name.trim() === '' || !(await adding.run())) return;
    showNotice(text.personAdded(name.trim()), 'good');
    setName('');
  };
  return (
    <Panel level={2} title={text.people}>
      <p className="prose">{people?.length === 0 ? text.noPeople : text.peopleText}</p>
      {error && <ErrorMessage error={error} />}
      {people !== undefined && people.length > 0 && <PeopleTable people={people} />}
      <form
        className="settings-rows"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <TextInput label={text.personName} value={name} onChange={setName} maxLength={100} />
        <Button
          type="submit"
          isPending={adding.running}
          disabledReason={name.trim() === '' ? text.personName : null}
        >
          {text.addPerson}
        </Button>
      </form>
      {adding.error && <ErrorMessage error={adding.error} />}
    </Panel>
  );
}

function PeopleTable({ people }: { readonly people: readonly Person[] }) {
  const client = useContractClient();
  const choosing = useAction((name: string) => client.people.setDefault({ name }));
  const titles = text.peopleColumns;
  return (
    <>
      <DataTable
        label={text.people}
        titles={[titles.name, titles.key, titles.added, '']}
        rows={people.map(({ name, key, created_at, is_default }) => ({
          key,
          cells: [
            name,
            <span key="key" title={key}>
              <code>{formatSigningKey(key)}</code> <CopyButton text={key} label={titles.key} />
            </span>,
            <DateTime key="added" at={created_at} />,
            is_default ? (
              <StatusLabel key="default" tone="good" icon={CircleCheck} text={text.defaultPerson} />
            ) : (
              <Button key="default" size="small" onPress={() => void choosing.run(name)}>
                {text.makeDefault(name)}
              </Button>
            ),
          ],
        }))}
      />
      {choosing.error && <ErrorMessage error={choosing.error} />}
    </>
  );
}
