import { Paperclip, X } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import type { Comment, CommentSubject } from '../../contract/index.ts';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '../../contract/index.ts';
import { useAction, useBackend, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { uploadFile } from '../bank/upload-file.ts';
import { Button } from '../controls/button.tsx';
import { DateTime } from '../controls/formatted-values.tsx';
import { MultilineField } from '../controls/multiline-field.tsx';
import { Panel } from '../controls/panel.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { formatBytes } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { saveFile } from '../window-shell/save-file.ts';
import { removeSavedText } from './remove-saved-text.ts';
import './comments.css';

const text = texts.comments;

interface CommentsPanelProps {
  readonly site: string;
  readonly kind: CommentSubject['kind'];
  readonly id: string | number;
  readonly level?: 2 | 3;
}

/** Shows the comments on a record with their files, and a form for adding one. */
export function CommentsPanel({ site, kind, id, level = 3 }: CommentsPanelProps) {
  const subject = { kind, id: String(id) };
  const { data = [], error } = useQuery('comments.list', { site, subject });
  return (
    <Panel title={text.title} level={level}>
      {error && <ErrorMessage error={error} site={site} />}
      {data.length > 0 && (
        <ol className="comments">
          {data.map((comment) => (
            <CommentItem key={comment.id} site={site} comment={comment} />
          ))}
        </ol>
      )}
      <NewComment key={`${kind} ${id}`} site={site} subject={subject} />
    </Panel>
  );
}

function CommentItem({ site, comment }: { readonly site: string; readonly comment: Comment }) {
  const { connection } = useBackend();
  const saving = useAction(async (number: number) => {
    const { blob, name, type } = await connection.client.comments.file({ site, comment: comment.id, number });
    await saveFile({ bytes: await connection.readBlob(blob), name, type });
  });
  return (
    <li>
      <p className="fineprint">
        {comment.user} · <DateTime at={comment.at} />
      </p>
      {comment.text !== '' && <p className="comment-text">{comment.text}</p>}
      {comment.files.length > 0 && (
        <ul className="comment-files">
          {comment.files.map(({ name, bytes, sha256 }, index) => (
            <li key={`${sha256} ${name}`} title={`SHA-256 ${sha256}`}>
              <Button
                size="small"
                icon={Paperclip}
                isPending={saving.running}
                onPress={() => void saving.run(index + 1)}
              >
                {name} · {formatBytes(bytes)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {saving.error && <ErrorMessage error={saving.error} site={site} />}
    </li>
  );
}

/** Form for adding a comment, with or without files. */
function NewComment({ site, subject }: { readonly site: string; readonly subject: CommentSubject }) {
  const client = useContractClient();
  const [typed, setTyped] = useState('');
  const [files, setFiles] = useState<readonly File[]>([]);
  const adding = useAction(async (saved: { readonly text: string; readonly files: readonly File[] }) => {
    const uploads: string[] = [];
    for (const file of saved.files) uploads.push(await uploadFile(client, site, file, () => undefined));
    return client.comments.add({ site, subjects: [subject], text: saved.text.trim(), uploads });
  });
  const isEmpty = typed.trim() === '' && files.length === 0;
  const problem = findFileProblem(files);
  const add = async () => {
    if (isEmpty || problem !== null || !(await adding.run({ text: typed, files }))) return;
    // The user may have continued to write while large files were being uploaded.
    setTyped((latest) => removeSavedText(latest, typed));
    setFiles((latest) => latest.filter((file) => !files.includes(file)));
  };
  return (
    <div className="comment-form">
      <MultilineField
        label={text.label}
        hideLabel
        placeholder={text.placeholder}
        rows={2}
        value={typed}
        onChange={setTyped}
        onSubmit={() => void add()}
        maxLength={10_000}
      />
      {files.length > 0 && (
        <ul className="comment-files" aria-label={text.chosen}>
          {files.map((file) => (
            <li key={`${file.name} ${file.size} ${file.lastModified}`} className="comment-file">
              {file.name} · {formatBytes(file.size)}
              <Button
                kind="quiet"
                size="small"
                icon={X}
                label={text.removeFile(file.name)}
                onPress={() => setFiles((latest) => latest.filter((other) => other !== file))}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="comment-actions">
        <FileTrigger
          allowsMultiple
          onSelect={(chosen) => setFiles((latest) => [...latest, ...(chosen ?? [])])}
        >
          <Button size="small" icon={Paperclip}>
            {text.attach}
          </Button>
        </FileTrigger>
        {!isEmpty && (
          <Button
            size="small"
            kind="primary"
            isPending={adding.running}
            disabledReason={problem}
            onPress={() => void add()}
          >
            {text.add}
          </Button>
        )}
      </div>
      {!isEmpty && <p className="fineprint">{problem ?? text.permanent}</p>}
      {adding.error && <ErrorMessage error={adding.error} site={site} />}
    </div>
  );
}

/** Returns why the chosen files cannot be attached, or null if they can. */
function findFileProblem(files: readonly File[]): string | null {
  if (files.length > MAX_ATTACHMENTS) return text.tooMany(MAX_ATTACHMENTS);
  for (const { name, size } of files) {
    if (size > MAX_ATTACHMENT_BYTES) return text.tooLarge(name);
    if (size === 0) return text.empty(name);
  }
  return null;
}
