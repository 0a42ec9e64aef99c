import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import PDFDocument from 'pdfkit';
import { defineConfig, type Plugin } from 'vite';

const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Serves a three-page sample statement as a PDF. */
function statementPdf(): Plugin {
  return {
    name: 'statement-pdf',
    configureServer(server) {
      server.middlewares.use('/statement.pdf', (_request, response) => {
        const pdf = new PDFDocument({ size: 'LETTER', margin: 54 });
        response.setHeader('content-type', 'application/pdf');
        pdf.pipe(response);
        for (let page = 1; page <= 3; page += 1) {
          if (page > 1) pdf.addPage();
          pdf.font('Helvetica-Bold').fontSize(20).text('Acme Subscriptions');
          pdf.moveDown().font('Helvetica').fontSize(11).text(`Statement 500123, page ${page} of 3`);
          pdf.moveDown();
          for (let line = 1; line <= 24; line += 1) pdf.text(`Team, monthly: seat ${line * page}   49.00`);
        }
        pdf.end();
      });
    },
  };
}

/** Shows every screen without a backend: `vite -c test/renderer/page/vite.config.ts`. */
export default defineConfig({
  root: resolvePath('.'),
  plugins: [react(), statementPdf()],
  server: { host: '127.0.0.1', port: 0, fs: { allow: [resolvePath('../../..')] } },
  cacheDir: resolvePath('../../../node_modules/.vite-page'),
});
