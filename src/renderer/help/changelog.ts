export interface ChangelogSection {
  /** Version and date as the changelog states them, for example `1.2.0 - 2027-01-31`, or `Unreleased`. */
  readonly title: string;
  /** Notable changes. Text between backticks is code. */
  readonly changes: readonly string[];
}

/** Parses the sections of a changelog in the format of Keep a Changelog. Omits sections without changes. */
export function parseChangelog(markdown: string): ChangelogSection[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split(/\r?\n/);
      return { title: title.replaceAll(/[[\]]/g, '').trim(), changes: parseListItems(lines) };
    })
    .filter(({ changes }) => changes.length > 0);
}

/** Returns the list items. An indented line continues the item before it. */
function parseListItems(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    const [, item, continuation] = /^(?:[-*] +(.*\S)|\s+(\S.*?))\s*$/.exec(line) ?? [];
    if (item) items.push(item);
    else if (continuation && items.length > 0) items.push(`${items.pop()} ${continuation}`);
  }
  return items;
}
