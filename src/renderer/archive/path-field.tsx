import { CornerLeftUp, FileArchive, Folder, FolderCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { TextInput, type TextInputProps } from '../controls/form-fields.tsx';
import { texts } from '../texts/texts.ts';
import { joinPath } from './export-options.ts';

const text = texts.archive.folderBrowser;

interface PathFieldProps
  extends Pick<TextInputProps, 'label' | 'hint' | 'value' | 'onChange' | 'error' | 'autoFocus'> {
  /** File name appended to the folder that the user chooses. */
  readonly name?: string;
}

/** Field for a path on this computer. The user types the path or browses the folders. */
export function PathField(props: PathFieldProps) {
  const { value, onChange } = props;
  const [isBrowsing, setBrowsing] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  return (
    <div ref={container} className="path-field">
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
        <Button isPressed={isBrowsing} onPress={() => setBrowsing(!isBrowsing)}>
          {texts.archive.exportDialog.choose}
        </Button>
      </div>
      {isBrowsing && (
        <FolderBrowser
          from={value}
          {...(props.name === undefined ? {} : { name: props.name })}
          onChoose={(path) => {
            onChange(path);
            setBrowsing(false);
            container.current?.querySelector('input')?.focus();
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

/** Browses the folders of this computer, one level at a time. */
function FolderBrowser({ from, name, onChoose }: FolderBrowserProps) {
  const [path, setPath] = useState(from);
  const { data: folder, isPreviousData } = useQuery('archive.browse', path.trim() === '' ? {} : { path });
  if (!folder) return null;
  const pathInside = (fileName: string) => joinPath(folder.path, fileName);
  return (
    <section className="folder-browser" aria-label={text.title}>
      <header>
        <Button
          kind="quiet"
          size="small"
          icon={CornerLeftUp}
          label={text.up}
          disabledReason={folder.parent === null ? folder.path : null}
          onPress={() => folder.parent !== null && setPath(folder.parent)}
        />
        <code title={folder.path}>{folder.path}</code>
        {folder.free_bytes !== null && <span className="fineprint">{text.free(folder.free_bytes)}</span>}
        <Button
          kind="primary"
          size="small"
          isPending={isPreviousData}
          onPress={() => onChoose(name === undefined ? folder.path : pathInside(name))}
        >
          {text.useFolder}
        </Button>
      </header>
      <ul>
        {folder.folders.map((folder) => (
          <li key={folder}>
            <Button kind="quiet" size="small" icon={Folder} onPress={() => setPath(pathInside(folder))}>
              <span className="visually-hidden">{text.openFolder('')}</span>
              {folder}
            </Button>
          </li>
        ))}
        {folder.files.map((file) => (
          <li key={file}>
            <Button kind="quiet" size="small" icon={FileArchive} onPress={() => onChoose(pathInside(file))}>
              <span className="visually-hidden">{text.chooseFile('')}</span>
              {file}
            </Button>
          </li>
        ))}
      </ul>
      {folder.bag && (
        <p className="fineprint">
          <FolderCheck size={14} aria-hidden="true" /> bagit.txt
        </p>
      )}
      {folder.more > 0 && <p className="fineprint">{text.more(folder.more)}</p>}
      {folder.folders.length + folder.files.length === 0 && <p className="fineprint">{text.empty}</p>}
    </section>
  );
}
