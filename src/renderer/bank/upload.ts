import type { Client } from '../../contract/index.ts';

/** So many bytes go in one piece; the contract takes a megabyte at most. */
const PIECE = 768 * 1024;

/** Hands a file over piece by piece; gives the upload it became. `told` hears the share that is over, 0 to 1. */
export async function uploadFile(
  client: Client,
  site: string,
  file: File,
  told: (share: number) => void,
): Promise<string> {
  let upload: string | undefined;
  let from = 0;
  do {
    const piece = new Uint8Array(await file.slice(from, from + PIECE).arrayBuffer());
    const given = { site, name: file.name, data: base64(piece) };
    ({ upload } = await client.bank.upload(upload === undefined ? given : { ...given, upload }));
    from += PIECE;
    told(Math.min(1, from / Math.max(1, file.size)));
  } while (from < file.size);
  return upload;
}

/** In pieces that fit a call's arguments. */
function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(text);
}
