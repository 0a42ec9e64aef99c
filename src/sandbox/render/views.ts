import { customer, type Site } from '../site.ts';
import type { Account } from '../world/account.ts';
import type { Statement, Transaction } from '../world/ledger.ts';
import { dollars, memoOf } from './words.ts';

export interface View {
  readonly site: Site;
  readonly account: Account;
  readonly statement: Statement;
}

/** One printed line of a statement: what, and how it moves the balance. */
export interface Line {
  readonly date: string;
  readonly text: string;
  readonly amount: number;
  readonly note: string;
}

/** The lines of a statement as its renderings show them: they add up, so what moves no balance shows no amount. */
export function lines({ site, account, statement }: View): Line[] {
  return statement.transactions.map((transaction) => ({
    date: site.zone.usDate(transaction.at),
    text: memoOf(site, account, transaction),
    amount: transaction.ending - transaction.starting,
    note: noteOf(transaction),
  }));
}

function noteOf({ type, success, amount }: Transaction): string {
  if (type === 'payment' && !success) return `declined: ${dollars(amount)}`;
  return type === 'refund' ? `${dollars(amount)} given back to the card` : '';
}

/** Payments that came after the statement closed and paid it. */
export const laterPayments = ({ site, statement }: View): string[] =>
  statement.futurePayments.map(({ at, amount }) => `Paid on ${site.zone.usDate(at)}: ${dollars(amount)}`);

/** Heading facts shared by text, HTML and PDF. */
export function heading({ site, account, statement }: View): { who: string[]; facts: [string, string][] } {
  const person = customer(site, account.subscriber.index);
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
          site.world.ids.statement.id(site.world.statementRow(account.subscriber.index, statement.index)),
        ),
      ],
      ['Subscription', String(site.world.ids.subscription.id(account.subscriber.index))],
      ['Period', `${site.zone.usDate(statement.openedAt)} - ${closed}`],
      ['Status', status],
    ],
  };
}

/** Plain text, 80 columns wide. */
export function textView(view: View): string {
  const { who, facts } = heading(view);
  const row = (left: string, right: string): string => {
    const kept = left.length > 66 ? `${left.slice(0, 65)}…` : left;
    return kept + right.padStart(Math.max(80 - kept.length, 1));
  };
  return [
    `${'Harbor Analytics'.padEnd(63)}BILLING STATEMENT`,
    '='.repeat(80),
    ...who,
    '',
    ...facts.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}`),
    '-'.repeat(80),
    row('Starting balance', dollars(view.statement.starting)),
    ...lines(view).map(({ date, text, amount, note }) =>
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

function table(view: View, id: string): string {
  const cells = lines(view).map(
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

/** One table, as mail programs can show it. */
export const basicHtmlView = (view: View): string => table(view, ' id="billing_statement"');

/** The full rendering, with all that real ones carry: styles, remote pictures, links, and where asked for worse. */
export function htmlView(view: View): string {
  const { who, facts } = heading(view);
  const remote = `https://assets.${view.site.subdomain}.example`;
  const fact = ([name, value]: [string, string]): string => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`;
  return [
    '<div id="billing_statement">',
    '<style>#billing_statement{font-family:Helvetica,Arial,sans-serif;color:#222}#billing_statement dt{float:left;width:9em}#billing_statement table{border-top:2px solid #345}</style>',
    ...(view.site.choices.hostileHtml ? hostile(remote) : []),
    '<h1>Harbor Analytics</h1>',
    `<address>${who.map(escapeHtml).join('<br>')}</address>`,
    `<dl>${facts.map(fact).join('')}</dl>`,
    table(view, ''),
    ...laterPayments(view).map((text) => `<p>${text}</p>`),
    '<p>We thank you for your continued business!</p>',
    '</div>',
  ].join('\n');
}

/** What nothing that shows the view may ever load, follow or run. */
const hostile = (remote: string): string[] => [
  `<link rel="stylesheet" href="${remote}/statement.css">`,
  `<style>@import url("${remote}/print.css");#billing_statement h1{background:url(${remote}/rule.png)}</style>`,
  `<img src="${remote}/logo.png" alt="Harbor Analytics" width="160" height="40">`,
  `<img src="${remote}/open.gif" width="1" height="1" onerror="this.ownerDocument.title='ran'">`,
  `<a href="${remote}/pay" target="_blank">Pay online</a>`,
  `<script src="${remote}/statement.js"></script>`,
  `<iframe src="${remote}/banner.html" width="1" height="1"></iframe>`,
  `<form action="${remote}/survey"><button>Tell us what you think</button></form>`,
];
