import { contextBridge, ipcRenderer } from 'electron';

/** The only function exposed to the page. It requests the ports of the reader, the writer and the window. */
contextBridge.exposeInMainWorld('tieout', {
  connect() {
    const channels = [new MessageChannel(), new MessageChannel(), new MessageChannel()];
    ipcRenderer.postMessage(
      'connect',
      null,
      channels.map(({ port1 }) => port1),
    );
    window.postMessage(
      'tieout:ports',
      location.origin,
      channels.map(({ port2 }) => port2),
    );
  },
});
