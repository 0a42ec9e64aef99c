import { type Command, type CommandSection, getScreenCommands } from '../commands/command.ts';
import { getRegisteredCommands } from '../commands/command-registry.ts';
import { KeyCaps } from '../controls/key-caps.tsx';
import type { ScreenName } from '../navigation/route.ts';
import { texts } from '../texts/texts.ts';

/** Sections that are the same on every screen. They follow the sections of the screen. */
const generalSections: readonly CommandSection[] = ['view', 'go', 'help'];

/** Shortcuts of a screen, grouped by section. The commands of the screen come first. */
export function ShortcutList({ screen }: { readonly screen: ScreenName }) {
  const commands = getScreenCommands(getRegisteredCommands(), screen).filter((command) => command.keys);
  const specific = new Set(commands.map((command) => command.section)).difference(new Set(generalSections));
  const section = (name: CommandSection) => (
    <ShortcutSection
      key={name}
      title={texts.palette.sections[name]}
      rows={commands.filter((command) => command.section === name).map(toRow)}
    />
  );
  return (
    <div className="shortcut-list">
      {[...specific].map(section)}
      <ShortcutSection title={texts.palette.inLists} rows={texts.palette.listKeys} />
      {generalSections.map(section)}
    </div>
  );
}

type ShortcutRow = readonly [keys: string, action: string];

const toRow = ({ keys, title }: Command): ShortcutRow => [keys?.[0] ?? '', title];

function ShortcutSection({ title, rows }: { readonly title: string; readonly rows: readonly ShortcutRow[] }) {
  return (
    <section>
      <h4>{title}</h4>
      <dl>
        {rows.map(([keys, action]) => (
          <div key={keys}>
            <dt>{action}</dt>
            <dd>
              <KeyCaps keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
