import type { Person } from '../../../contract/people/people.ts';
import { formatSigningKey } from '../../../domain/labels/periods.ts';
import { formatMinute } from '../../output/format-values.ts';
import type { TableColumn } from '../../output/table.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';

export const definePersonCommands: DefineCommand = (command) => {
  command
    .subcommand('list', 'List the people who sign on this computer, with their keys')
    .run(async ({ session, output }) => {
      const client = await session.client();
      await output.list({
        columns,
        fields: async () => (await import('../../../contract/people/people.ts')).personSchema,
        pages: [{ rows: await client.people.list({}), next: null }],
        empty: 'Nobody has a signing key yet. Create one with: tieout person add NAME',
      });
    });
  command
    .subcommand('add', 'Add a person who signs periods, and create their signing key in the keychain')
    .argument('<name>', 'full name, as it appears in reports')
    .option(
      '--replace-key',
      'create another key for an existing person, for example after the keychain was lost',
    )
    .run(async ({ session, output }, name: string, { replaceKey }: { readonly replaceKey?: true }) => {
      const client = await session.client();
      const person = await client.people.add({ name, replace_key: replaceKey === true });
      await output.document(person, () => formatPerson(person));
    });
  command
    .subcommand('default', 'Set the person who signs if --by is not given')
    .argument('<name>', 'name of the person')
    .run(async ({ session, output }, name: string) => {
      const client = await session.client();
      const person = await client.people.setDefault({ name });
      await output.document(person, () => formatPerson(person));
    });
};

const formatPerson = ({ name, key, is_default }: Person): string[] => [
  `${name} signs with the key ${formatSigningKey(key)}.`,
  ...(is_default ? ['This is the default person, who signs if --by is not given.'] : []),
  'Give this key to the people who check your signatures, for example by phone.',
];

const columns: TableColumn<Person>[] = [
  { header: 'name', cell: ({ name }) => name, minWidth: 12 },
  { header: 'key', cell: ({ key }) => formatSigningKey(key) },
  { header: 'default', cell: ({ is_default }) => (is_default ? 'yes' : '') },
  { header: 'added', cell: ({ created_at }) => formatMinute(created_at) },
  { header: 'user', cell: ({ user }) => user },
];
