import type { SubscriptionAccount } from '../simulation/subscription-account.ts';
import type { Statement, Transaction } from '../simulation/subscription-ledger.ts';
import { findSubscriptionCustomer, type MerchantSite } from '../site/merchant-site.ts';
import { createTransactionMemo, formatDollars } from './memos.ts';

export interface StatementView {
  readonly site: MerchantSite;
  readonly account: SubscriptionAccount;
  readonly statement: Statement;
}

/** Returns the printed lines of a statement. A line without effect on the balance has the amount 0. */
export function listPrintedStatementLines({ site, account, statement }: StatementView) {
  return statement.transactions.map((transaction) => ({
    date: site.zone.usDate(transaction.at),
    text: createTransactionMemo(site, account, transaction),
    amount: transaction.ending - transaction.starting,
    note: describeDifference(transaction),
  }));
}

function describeDifference({ type, success, amount }: Transaction): string {
  if (type === 'payment' && !success) return `declined: ${formatDollars(amount)}`;
  return type === 'refund' ? `${formatDollars(amount)} given back to the card` : '';
}

/** Returns the payments that paid a statement after it closed. */
export const formatPaymentsAfterClosing = ({ site, statement }: StatementView): string[] =>
  statement.futurePayments.map(
    ({ at, amount }) => `Paid on ${site.zone.usDate(at)}: ${formatDollars(amount)}`,
  );

/** Returns the heading that a statement's text, HTML and PDF share. */
export function createStatementHeading({ site, account, statement }: StatementView): {
  payer: string[];
  facts: [string, string][];
} {
  const { index } = account.subscriber;
  const person = findSubscriptionCustomer(site, index);
  const closed = statement.closedAt ? site.zone.usDate(statement.closedAt) : 'open';
  const status = statement.settledAt ? 'Paid' : statement.closedAt ? 'Unpaid' : 'Open';
  return {
    payer: [
      `${person.firstName} ${person.lastName}`,
      ...(person.organization ? [person.organization] : []),
      person.address + (person.address2 ? `, ${person.address2}` : ''),
      `${person.city}, ${person.state} ${person.zip}`,
      person.country,
    ],
    facts: [
      ['Statement', String(site.simulation.statementId(index, statement.index))],
      ['Subscription', String(site.simulation.ids.subscription.id(index))],
      ['Period', `${site.zone.usDate(statement.openedAt)} - ${closed}`],
      ['Status', status],
    ],
  };
}

/** Renders a statement as plain text, 80 columns wide. */
export function renderStatementText(view: StatementView): string {
  const { payer, facts } = createStatementHeading(view);
  const row = (left: string, right: string): string => {
    const shortened = left.length > 66 ? `${left.slice(0, 65)}…` : left;
    return shortened + right.padStart(Math.max(80 - shortened.length, 1));
  };
  return [
    `${'Harbor Analytics'.padEnd(63)}BILLING STATEMENT`,
    '='.repeat(80),
    ...payer,
    '',
    ...facts.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}`),
    '-'.repeat(80),
    row('Starting balance', formatDollars(view.statement.starting)),
    ...listPrintedStatementLines(view).map(({ date, text, amount, note }) =>
      row(`${date}  ${text}${note ? ` (${note})` : ''}`, formatDollars(amount)),
    ),
    '-'.repeat(80),
    row(view.statement.closedAt ? 'Ending balance' : 'Balance', formatDollars(view.statement.ending)),
    ...formatPaymentsAfterClosing(view),
    '',
  ].join('\n');
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function renderTable(view: StatementView, id: string): string {
  const cells = listPrintedStatementLines(view).map(
    ({ date, text, amount, note }) =>
      `<tr><td>${date}</td><td>${escapeHtml(text)}${note ? ` <em>(${note})</em>` : ''}</td><td align="right">${formatDollars(amount)}</td></tr>`,
  );
  return [
    `<table${id} width="100%" cellpadding="4">`,
    `<tr><th align="left">Date</th><th align="left">Description</th><th align="right">Amount</th></tr>`,
    `<tr><td></td><td>Starting balance</td><td align="right">${formatDollars(view.statement.starting)}</td></tr>`,
    ...cells,
    `<tr><td></td><td><strong>Ending balance</strong></td><td align="right"><strong>${formatDollars(view.statement.ending)}</strong></td></tr>`,
    '</table>',
  ].join('\n');
}

/** Renders a statement as a single HTML table that mail programs can display. */
export const renderStatementBasicHtml = (view: StatementView): string =>
  renderTable(view, ' id="billing_statement"');

/** Renders a statement as an HTML page with styles, and with hostile content if the settings request it. */
export function renderStatementHtml(view: StatementView): string {
  const { payer, facts } = createStatementHeading(view);
  const remote = `https://assets.${view.site.subdomain}.example`;
  const fact = ([name, value]: [string, string]): string => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`;
  return [
    '<div id="billing_statement">',
    '<style>#billing_statement{font-family:Helvetica,Arial,sans-serif;color:#222}#billing_statement dt{float:left;width:9em}#billing_statement table{border-top:2px solid #345}</style>',
    ...(view.site.settings.hostileHtml ? hostileContent(remote) : []),
    '<h1>Harbor Analytics</h1>',
    `<address>${payer.map(escapeHtml).join('<br>')}</address>`,
    `<dl>${facts.map(fact).join('')}</dl>`,
    renderTable(view, ''),
    ...formatPaymentsAfterClosing(view).map((text) => `<p>${text}</p>`),
    '<p>We thank you for your continued business!</p>',
    '</div>',
  ].join('\n');
}

/** Returns content that an app displaying the page must never load, follow or run. */
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
