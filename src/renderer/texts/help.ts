import type { HelpTopic } from '../navigation/dialog-state.ts';
import type { ScreenName } from '../navigation/route.ts';

const topics: Record<HelpTopic, string> = {
  screen: 'This screen',
  apiKey: 'API key',
  news: 'What’s new',
};

/** Purpose of each screen. */
const screens: Record<ScreenName, string> = {
  overview:
    'Shows the state of the working month: the steps of the month-end close, what still needs work, and recent months. Start here and open the first step that is not done.',
  exceptions:
    'Lists contradictions that the checks found in the billing records. Open an exception to see its evidence, then resolve it or accept it with a reason.',
  rules:
    'Lists the rules that check the billing records. Each rule states what it compares and how many exceptions it found. Turn off a rule that does not suit the site, with a reason.',
  webhooks:
    'Lists the webhooks that the service sent, with the result of each delivery. Select failed webhooks to replay them, or open one to read its body.',
  outages:
    'Shows when your endpoint did not accept webhooks, and the errors it returned. Replay the webhooks of an outage, or record an incident with cause and owner.',
  replays:
    'Lists the replays with their progress and result. Every replay starts with one webhook and stops if deliveries fail. You can pause, resume or cancel it.',
  statements:
    'Lists the statements of all customers. Open one to see how its balances add up, its transactions and events, and its PDF.',
  subscriptions:
    'Lists the subscriptions with their balance and unpaid statements. Open one to read all its activity in order of time, with its balance after each entry.',
  allocations:
    'Shows the quantities of subscription components and their changes. Draft new quantities, one by one or from a CSV file, and send them after you have confirmed the draft.',
  bank: 'Lists the imported lines of bank and payment processor files. Import a file, check its preview, and compare each account with the balances of its bank statements.',
  matching:
    'Matches bank lines with payments and payouts. Confirm or reject suggested matches, match the rest manually, and undo any decision.',
  periods:
    'Closes a month: its workpaper, reconciliations and differences, comments, sign-off by preparer and reviewer, and the evidence pack for auditors.',
  archive:
    'Stores the PDFs of statements. Download missing PDFs, export them with checksums, and set retention times and legal holds.',
  audit:
    'Lists every decision with user, time and reason. The log is protected by a chain of hashes, so later changes are detected.',
  backups:
    'Lists the backups of your decisions. Check or restore a backup, or restore the decisions from an evidence pack. Records of the service can be synced again.',
  sync: 'Copies the records of the service to this computer. See the last runs and their problems, start a sync, or set how often it runs.',
  sites: 'Lists the connected sites. Connect a site, test its connection, edit it, or replace its API key.',
  settings:
    'Sets appearance, formats, alerts and the people who sign. The system checks find problems of this computer, with advice.',
};

export const helpTexts = {
  title: 'Help',
  open: 'Help and keyboard shortcuts',
  topic: 'Help topics',
  topics,
  screens,
  apiKey: {
    title: 'Where to find the API key',
    lead: 'The billing service creates the API keys of a site. Each site has its own keys.',
    steps: [
      'Sign in to the billing service and open the site.',
      'Open its Integrations tab, which lists the API keys.',
      'Create a key for Tieout, so that you can withdraw it without affecting other programs.',
      'Copy the key itself. Its ID, which is shown next to it, does not work.',
      'Paste the key here when you connect the site. Test the connection before you save it.',
    ],
    scope:
      'The key is not the shared key, with which the service signs webhooks. If Integrations is not shown, ask an administrator of the site.',
  },
  news: 'What’s new in Tieout',
  thisVersion: 'In this version',
  documentation:
    'Documentation: `README.md` and the `docs` folder of Tieout. In a terminal, `tieout help` lists all commands.',
} as const;
