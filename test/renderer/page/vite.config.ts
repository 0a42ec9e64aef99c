import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import PDFDocument from 'pdfkit';
import { defineConfig, type Plugin } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A statement of some pages, to have a PDF to look at. */
function statementPdf(): Plugin {
  return {
    name: 'statement-pdf',
    configureServer(server) {
      server.middlewares.use('/statement.pdf', (_request, response) => {
        const paper = new PDFDocument({ size: 'LETTER', margin: 54 });
        response.setHeader('content-type', 'application/pdf');
        paper.pipe(response);
        for (let page = 1; page <= 3; page += 1) {
          if (page > 1) paper.addPage();
          paper.font('Helvetica-Bold').fontSize(20).text('Acme Subscriptions');
          paper.moveDown().font('Helvetica').fontSize(11).text(`Statement 500123, page ${page} of 3`);
          paper.moveDown();
          for (let line = 1; line <= 24; line += 1) paper.text(`Team, monthly: seat ${line * page}   49.00`);
        }
        paper.end();
      });
    },
  };
}

/** `vite -c test/renderer/page/vite.config.ts`: every screen, with no backend at all. */
export default defineConfig({
  root: at('.'),
  plugins: [react(), statementPdf()],
  server: { host: '127.0.0.1', port: 0, fs: { allow: [at('../../..')] } },
  cacheDir: at('../../../node_modules/.vite-page'),
});
