import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Files that pdf.js loads by name from `pdf/` beside the page: the decoders of fax and JPEG 2000 pictures, and the icons of
 * notes. `LICENSES.txt` contains the licenses of the fonts, character maps and decoders of pdf.js.
 */
const pdfFiles = {
  name: 'pdf-files',
  generateBundle(this: {
    emitFile(file: { type: 'asset'; fileName: string; source: Uint8Array | string }): string;
  }) {
    const emit = (folder: string, wanted: RegExp) => {
      for (const name of readdirSync(at(folder)).filter((file) => wanted.test(file))) {
        const source = readFileSync(at(`${folder}/${name}`));
        this.emitFile({ type: 'asset', fileName: `pdf/${name}`, source });
      }
    };
    const licenses = ['standard_fonts', 'cmaps', 'wasm'].flatMap((folder) => {
      const path = at(`node_modules/pdfjs-dist/${folder}`);
      const names = readdirSync(path).filter((file) => file.startsWith('LICENSE'));
      return names.sort().map((name) => `${folder}/${name}\n\n${readFileSync(`${path}/${name}`, 'utf8')}`);
    });
    this.emitFile({ type: 'asset', fileName: 'pdf/LICENSES.txt', source: licenses.join('\n\n') });
    emit('node_modules/pdfjs-dist/wasm', /_nowasm_fallback\.js$/);
    emit('node_modules/pdfjs-dist/web/images', /^annotation-[a-z]+\.svg$/);
  },
};

/** The fonts of the PDF report, which the threads look for at `fonts/` beside themselves. */
const reportFonts = {
  name: 'report-fonts',
  files: [
    'DejaVuSans.ttf',
    'DejaVuSans-Bold.ttf',
    'DroidSansFallbackFull.ttf',
    'NanumGothic.ttf',
    'LICENSES.txt',
  ],
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: Uint8Array }): string }) {
    for (const name of reportFonts.files)
      this.emitFile({
        type: 'asset',
        fileName: `fonts/${name}`,
        source: readFileSync(at(`resources/fonts/${name}`)),
      });
  },
};

/** The licences of the packages that are built in, beside what they are built into. */
const license = { fileName: 'LICENSES.md' };

/** Omits the comments with module paths, which differ between machines if `node_modules` is a link. */
const experimental = { attachDebugInfo: 'none' } as const;

/** Says that the files of `out/main` are CommonJS, against the package's own word. */
const commonJs = {
  name: 'common-js',
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): string }) {
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' });
  },
};

/**
 * `out/main`: the Electron shell, the command line, and one file for each thread, all beside each other, so that a thread's
 * entry is found next to whoever starts it. `out/preload`: one CommonJS file. `out/renderer`: the window's page.
 * What Node runs is CommonJS: Node loads that in half the time, since an import of one of its own modules has all of that made
 * that it would otherwise make when it is first asked for.
 */
export default defineConfig({
  main: {
    plugins: [reportFonts, commonJs],
    build: {
      outDir: 'out/main',
      license,
      // What every command loads is bundled, and so read as a few small files; and what is no CommonJS.
      externalizeDeps: {
        include: ['keytar'],
        exclude: ['commander', 'hucre', 'saxes', 'zod', '@orpc/client', '@orpc/contract', '@orpc/server'],
      },
      rolldownOptions: {
        experimental,
        // Modules of the contract only define schemas. Without an import of its schemas, a module is not loaded.
        treeshake: { moduleSideEffects: (id) => !id.includes('/src/contract/') },
        input: {
          index: at('src/main/index.ts'),
          cli: at('src/cli/index.ts'),
          reader: at('src/backend/reader.ts'),
          writer: at('src/backend/writer.ts'),
          'pdf-text-thread': at('src/backend/archive/pdf-text-thread.ts'),
          sandbox: at('src/sandbox/worker.ts'),
        },
        output: { format: 'cjs', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      externalizeDeps: false,
      rolldownOptions: {
        experimental,
        input: { index: at('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src/renderer'),
    plugins: [react(), pdfFiles],
    build: {
      outDir: at('out/renderer'),
      emptyOutDir: true,
      target: 'chrome140',
      // The policy allows no inline image or font but data: images; files are cached better anyway.
      assetsInlineLimit: 0,
      license,
      rolldownOptions: {
        experimental,
        input: { index: at('src/renderer/index.html'), 'self-check': at('src/renderer/self-check.html') },
      },
    },
  },
});
