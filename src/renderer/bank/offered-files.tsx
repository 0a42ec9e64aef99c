import type { OfferedFile } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { words } from '../words/words.ts';

const text = words.bank;

/** The demo’s own files, for whoever has none at hand; of another site, nothing. */
export function OfferedFiles({
  site,
  onTake,
}: {
  readonly site: string;
  readonly onTake: (file: OfferedFile) => void;
}) {
  const { data: offered = [] } = useQuery('bank.offered', { site });
  if (offered.length === 0) return null;
  return (
    <div className="bank-offered">
      <span>{text.offered}</span>
      {offered.map((file) => (
        <Button key={file.name} size="small" onPress={() => onTake(file)}>
          {file.name}
        </Button>
      ))}
    </div>
  );
}
