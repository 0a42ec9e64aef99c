import { contextBridge, ipcRenderer } from 'electron';

/**
 * The only function exposed to the page. It requests the page's two message ports, one for the reader and one for the
 * writer. The main process decides whether to serve them.
 */
contextBridge.exposeInMainWorld('tieout', {
  connect() {
    const reader = new MessageChannel();
    const writer = new MessageChannel();
    ipcRenderer.postMessage('connect', null, [reader.port1, writer.port1]);
    window.postMessage('tieout:ports', location.origin, [reader.port2, writer.port2]);
  },
});
