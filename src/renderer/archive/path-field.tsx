import { CornerLeftUp, FileArchive, Folder, FolderCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.archive.places;

interface PathFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (path: string) => void;
  readonly error?: string | null;
  readonly autoFocus?: boolean;
  /** Put behind the folder that is used, as the name of a file to be made. */
  readonly name?: string;
}

/** A place on this computer: typed, or gone to folder by folder. */
export function PathField(props: PathFieldProps) {
  const { value, onChange } = props;
  const [choosing, setChoosing] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  return (
    <div ref={box} className="path-field">
      <div className="path-field-row">
        <TextInput
          label={props.label}
          hint={props.hint}
          value={value}
          onChange={onChange}
          error={props.error ?? null}
          autoFocus={props.autoFocus ?? false}
          maxLength={4000}
        />
        <Button isPressed={choosing} onPress={() => setChoosing(!choosing)}>
          {texts.archive.exporting.choose}
        </Button>
      </div>
      {choosing && (
        <FolderBrowser
          from={value}
          {...(props.name === undefined ? {} : { name: props.name })}
          onChoose={(path) => {
            onChange(path);
            setChoosing(false);
            box.current?.querySelector('input')?.focus();
          }}
        />
      )}
    </div>
  );
}

interface FolderBrowserProps {
  readonly from: string;
  readonly name?: string;
  readonly onChoose: (path: string) => void;
}

/** The folders of this computer, one at a time. */
function FolderBrowser({ from, name, onChoose }: FolderBrowserProps) {
  const [path, setPath] = useState(from);
  const { data: place, isPreviousData } = useQuery('archive.browse', path.trim() === '' ? {} : { path });
  if (!place) return null;
  const inside = (inner: string) => joinPath(place.path, inner);
  return (
    <section className="folder-browser" aria-label={text.title}>
      <header>
        <Button
          kind="quiet"
          size="small"
          icon={CornerLeftUp}
          label={text.up}
          disabledReason={place.parent === null ? place.path : null}
          onPress={() => place.parent !== null && setPath(place.parent)}
        />
        <code title={place.path}>{place.path}</code>
        {place.free_bytes !== null && <span className="fineprint">{text.free(place.free_bytes)}</span>}
        <Button
          kind="primary"
          size="small"
          isPending={isPreviousData}
          onPress={() => onChoose(name === undefined ? place.path : inside(name))}
        >
          {text.here}
        </Button>
      </header>
      <ul>
        {place.folders.map((folder) => (
          <li key={folder}>
            <Button kind="quiet" size="small" icon={Folder} onPress={() => setPath(inside(folder))}>
              <span className="visually-hidden">{text.into('')}</span>
              {folder}
            </Button>
          </li>
        ))}
        {place.files.map((file) => (
          <li key={file}>
            <Button kind="quiet" size="small" icon={FileArchive} onPress={() => onChoose(inside(file))}>
              <span className="visually-hidden">{text.pick('')}</span>
              {file}
            </Button>
          </li>
        ))}
      </ul>
      {place.bag && (
        <p className="fineprint">
          <FolderCheck size={14} aria-hidden="true" /> bagit.txt
        </p>
      )}
      {place.more > 0 && <p className="fineprint">{text.more(place.more)}</p>}
      {place.folders.length + place.files.length === 0 && <p className="fineprint">{text.empty}</p>}
    </section>
  );
}

/** A name behind a folder, with the sign that the folder itself is written with. */
function joinPath(folder: string, name: string): string {
  const sign = folder.includes('\\') && !folder.includes('/') ? '\\' : '/';
  return folder.endsWith(sign) ? folder + name : folder + sign + name;
}
