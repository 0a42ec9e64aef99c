import type { TableColumn } from '../../output/table.ts';
import type { DefineCommand } from '../../runtime/cli-command.ts';

interface Category {
  readonly category: string;
  readonly groups: number;
  readonly added: boolean;
}

const columns: TableColumn<Category>[] = [
  { header: 'category', cell: ({ category }) => category },
  { header: 'matches', cell: ({ groups }) => groups, align: 'right' },
  { header: 'added', cell: ({ added }) => (added ? 'yes' : '') },
];

export const defineCategoryCommands: DefineCommand = (command) => {
  command
    .subcommand('categories', 'List the categories for amounts that belong to no payment')
    .listOnSite(async ({ client, site, output }) => {
      await output.list({
        columns,
        fields: ['category', 'groups', 'added'],
        pages: [{ rows: await client.match.categories({ site }), next: null }],
        empty: 'There are no categories.',
      });
    });
  command
    .subcommand('add-category', 'Add a category, for example wages, rent or owner')
    .argument('<name>', 'name in lowercase letters, digits, spaces and hyphens')
    .runOnSite(async ({ client, site, output }, category: string) => {
      await client.match.addCategory({ site, category });
      await output.document({ category }, () => [`Category ${category} added.`]);
    });
  command
    .subcommand('remove-category', 'Remove an added category; matches that use it remain')
    .argument('<name>', 'name of the category')
    .runOnSite(async ({ client, site, output }, category: string) => {
      await client.match.removeCategory({ site, category });
      await output.document({ category }, () => [`Category ${category} removed.`]);
    });
};
