import { type CommandSection, getScreenCommands } from '../commands/command.ts';
import { getRegisteredCommands } from '../commands/command-registry.ts';
import { Dialog } from '../controls/dialog.tsx';
import { KeyCaps } from '../controls/key-caps.tsx';
import { closeDialog, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import './command-palette.css';

/** Dialog that lists the shortcuts of the current screen. The `?` key opens it. */
export function ShortcutsDialog() {
  const screen = useWindowState((state) => state.route.screen);
  const commands = getScreenCommands(getRegisteredCommands(), screen).filter((command) => command.keys);
  const sections = [...new Set(commands.map((command) => command.section))];
  return (
    <Dialog title={texts.palette.keys} size="wide" onClose={closeDialog} isReadOnly>
      <div className="shortcut-list">
        <ShortcutSection title={texts.palette.inLists} rows={texts.palette.listKeys} />
        {sections.map((section: CommandSection) => (
          <ShortcutSection
            key={section}
            title={texts.palette.sections[section]}
            rows={commands
              .filter((command) => command.section === section)
              .map((command) => [command.keys?.[0] ?? '', command.title])}
          />
        ))}
      </div>
    </Dialog>
  );
}

interface ShortcutSectionProps {
  readonly title: string;
  readonly rows: readonly (readonly [keys: string, action: string])[];
}

function ShortcutSection({ title, rows }: ShortcutSectionProps) {
  return (
    <section>
      <h3>{title}</h3>
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
