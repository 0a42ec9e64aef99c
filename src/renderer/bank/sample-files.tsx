import type { SampleFile } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { texts } from '../texts/texts.ts';

interface SampleFilesProps<File extends SampleFile> {
  readonly files: readonly File[];
  readonly onChoose: (file: File) => void;
}

/** Offers the sample files of the demo site. Renders nothing if there are none. */
export function SampleFiles<File extends SampleFile>({ files, onChoose }: SampleFilesProps<File>) {
  if (files.length === 0) return null;
  return (
    <div className="bank-offered">
      <span>{texts.bank.demoFiles}</span>
      {files.map((file) => (
        <Button key={file.name} size="small" onPress={() => onChoose(file)}>
          {file.name}
        </Button>
      ))}
    </div>
  );
}
