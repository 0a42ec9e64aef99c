import { customerOfSubscription, type MerchantSite } from '../merchant-site.ts';
import type { Statement, Transaction } from '../simulation/ledger.ts';
import type { SubscriptionAccount } from '../simulation/subscription-account.ts';
import { dollars, transactionMemo } from './memos.ts';

export interface StatementView {
  readonly site: MerchantSite;
  readonly account: SubscriptionAccount;
  readonly statement: Statement;
}

/** One printed line of a statement with its effect on the balance. */
export interface PrintedLine {
  readonly date: string;
  readonly text: string;
  readonly amount: number;
  readonly note: string;
}

/**
 * Returns the lines of a statement's renderings. They add up: a line without effect on the balance shows no
 * amount.
 */
export function printedLines({ site, account, statement }: StatementView): PrintedLine[] {
  return statement.transactions.map((transaction) => ({
    date: site.zone.usDate(transaction.at),
    text: transactionMemo(site, account, transaction),
    amount: transaction.ending - transaction.starting,
    note: noteOf(transaction),
  }));
}

function noteOf({ type, success, amount }: Transaction): string {
  if (type === 'payment' && !success) return `declined: ${dollars(amount)}`;
  return type === 'refund' ? `${dollars(amount)} given back to the card` : '';
}

/** Returns the payments that paid the statement after it was closed. */
export const laterPayments = ({ site, statement }: StatementView): string[] =>
  statement.futurePayments.map(({ at, amount }) => `Paid on ${site.zone.usDate(at)}: ${dollars(amount)}`);

/** Returns the heading shared by text, HTML and PDF. */
export function statementHeading({ site, account, statement }: StatementView): {
  who: string[];
  facts: [string, string][];
} {
  const person = customerOfSubscription(site, account.subscriber.index);
  const closed = statement.closedAt ? site.zone.usDate(statement.closedAt) : 'open';
  const status = statement.settledAt ? 'Paid' : statement.closedAt ? 'Unpaid' : 'Open';
  return {
    who: [
      `${person.firstName} ${person.lastName}`,
      ...(person.organization ? [person.organization] : []),
      person.address + (person.address2 ? `, ${person.address2}` : ''),
      `${person.city}, ${person.state} ${person.zip}`,
      person.country,
    ],
    facts: [
      [
        'Statement',
        String(
          site.simulation.ids.statement.id(
            site.simulation.statementRow(account.subscriber.index, statement.index),
          ),
        ),
      ],
      ['Subscription', String(site.simulation.ids.subscription.id(account.subscriber.index))],
      ['Period', `${site.zone.usDate(statement.openedAt)} - ${closed}`],
      ['Status', status],
    ],
  };
}

/** Returns plain text, 80 columns wide. */
export function textView(view: StatementView): string {
  const { who, facts } = statementHeading(view);
  const row = (left: string, right: string): string => {
    const shortened = left.length > 66 ? `${left.slice(0, 65)}…` : left;
    return shortened + right.padStart(Math.max(80 - shortened.length, 1));
  };
  return [
    `${'Harbor Analytics'.padEnd(63)}BILLING STATEMENT`,
    '='.repeat(80),
    ...who,
    '',
    ...facts.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}`),
    '-'.repeat(80),
    row('Starting balance', dollars(view.statement.starting)),
    ...printedLines(view).map(({ date, text, amount, note }) =>
      row(`${date}  ${text}${note ? ` (${note})` : ''}`, dollars(amount)),
    ),
    '-'.repeat(80),
    row(view.statement.closedAt ? 'Ending balance' : 'Balance', dollars(view.statement.ending)),
    ...laterPayments(view),
    '',
  ].join('\n');
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function table(view: StatementView, id: string): string {
  const cells = printedLines(view).map(
    ({ date, text, amount, note }) =>
      `<tr><td>${date}</td><td>${escapeHtml(text)}${note ? ` <em>(${note})</em>` : ''}</td><td align="right">${dollars(amount)}</td></tr>`,
  );
  return [
    `<table${id} width="100%" cellpadding="4">`,
    `<tr><th align="left">Date</th><th align="left">Description</th><th align="right">Amount</th></tr>`,
    `<tr><td></td><td>Starting balance</td><td align="right">${dollars(view.statement.starting)}</td></tr>`,
    ...cells,
    `<tr><td></td><td><strong>Ending balance</strong></td><td align="right"><strong>${dollars(view.statement.ending)}</strong></td></tr>`,
    '</table>',
  ].join('\n');
}

/** Returns a single table, as mail programs can show it. */
export const basicHtmlView = (view: StatementView): string => table(view, ' id="billing_statement"');

/**
 * Returns the full HTML rendering with styles, remote images and links, and hostile content if the settings
 * ask for it.
 */
export function htmlView(view: StatementView): string {
  const { who, facts } = statementHeading(view);
  const remote = `https://assets.${view.site.subdomain}.example`;
  const fact = ([name, value]: [string, string]): string => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`;
  return [
    '<div id="billing_statement">',
    '<style>#billing_statement{font-family:Helvetica,Arial,sans-serif;color:#222}#billing_statement dt{float:left;width:9em}#billing_statement table{border-top:2px solid #345}</style>',
    ...(view.site.settings.hostileHtml ? hostileContent(remote) : []),
    '<h1>Harbor Analytics</h1>',
    `<address>${who.map(escapeHtml).join('<br>')}</address>`,
    `<dl>${facts.map(fact).join('')}</dl>`,
    table(view, ''),
    ...laterPayments(view).map((text) => `<p>${text}</p>`),
    '<p>We thank you for your continued business!</p>',
    '</div>',
  ].join('\n');
}

/** Content that an app showing the view must never load, follow or run. */
const hostileContent = (remote: string): string[] => [
  `<link rel="stylesheet" href="${remote}/statement.css">`,
  `<style>@import url("${remote}/print.css");#billing_statement h1{background:url(${remote}/rule.png)}</style>`,
  `<img src="${remote}/logo.png" alt="Harbor Analytics" width="160" height="40">`,
  `<img src="${remote}/open.gif" width="1" height="1" onerror="this.ownerDocument.title='ran'">`,
  `<a href="${remote}/pay" target="_blank">Pay online</a>`,
  `<script src="${remote}/statement.js"></script>`,
  `<iframe src="${remote}/banner.html" width="1" height="1"></iframe>`,
  `<form action="${remote}/survey"><button>Tell us what you think</button></form>`,
];
