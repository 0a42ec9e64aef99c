import type { OfferedFile } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.bank;

/** Offers sample bank files on the demo site. Renders nothing on other sites. */
export function DemoFiles({
  site,
  onChoose,
}: {
  readonly site: string;
  readonly onChoose: (file: OfferedFile) => void;
}) {
  const { data: offered = [] } = useQuery('bank.offered', { site });
  if (offered.length === 0) return null;
  return (
    <div className="bank-offered">
      <span>{text.demoFiles}</span>
      {offered.map((file) => (
        <Button key={file.name} size="small" onPress={() => onChoose(file)}>
          {file.name}
        </Button>
      ))}
    </div>
  );
}
