import { commands } from '../commands/all.ts';
import { commandsOn, type Section } from '../commands/command.ts';
import { Keys } from '../controls/keys.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { closeDialog, useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import './palette.css';

/** `?`: the shortcuts that work here. */
export function KeyList() {
  const screen = useView((view) => view.route.screen);
  const here = commandsOn(commands, screen).filter((command) => command.keys);
  const sections = [...new Set(here.map((command) => command.section))];
  return (
    <Dialog title={words.palette.keys} size="wide" onClose={closeDialog} isRead>
      <div className="keylist">
        <KeySection title={words.palette.inLists} rows={words.palette.listKeys} />
        {sections.map((section: Section) => (
          <KeySection
            key={section}
            title={words.palette.sections[section]}
            rows={here
              .filter((command) => command.section === section)
              .map((command) => [command.keys?.[0] ?? '', command.title])}
          />
        ))}
      </div>
    </Dialog>
  );
}

interface KeySectionProps {
  readonly title: string;
  readonly rows: readonly (readonly [keys: string, what: string])[];
}

function KeySection({ title, rows }: KeySectionProps) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {rows.map(([keys, what]) => (
          <div key={keys}>
            <dt>{what}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
