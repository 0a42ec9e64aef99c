import type { BackendClient } from '../../contract/index.ts';

/** Bytes per chunk. The contract accepts at most one megabyte per call. */
const CHUNK_BYTES = 768 * 1024;

/** Uploads a file in chunks and returns the upload id. Calls `onProgress` with the uploaded fraction, from 0 to 1. */
export async function uploadFile(
  client: BackendClient,
  site: string,
  file: File,
  onProgress: (share: number) => void,
): Promise<string> {
  let upload: string | undefined;
  let offset = 0;
  do {
    const chunk = new Uint8Array(await file.slice(offset, offset + CHUNK_BYTES).arrayBuffer());
    const request = { site, name: file.name, data: base64(chunk) };
    ({ upload } = await client.bank.upload(upload === undefined ? request : { ...request, upload }));
    offset += CHUNK_BYTES;
    onProgress(Math.min(1, offset / Math.max(1, file.size)));
  } while (offset < file.size);
  return upload;
}

/** Encodes bytes as Base64. Works in slices that are small enough to be spread as function arguments. */
function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(text);
}
