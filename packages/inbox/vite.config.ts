import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const source = (name: string) => fileURLToPath(new URL(`src/${name}`, import.meta.url))

/** One file without imports and exports: it is a module and a classic script at the same time. */
export default defineConfig({
  publicDir: false,
  build: {
    target: 'es2022',
    // The first ones with light-dark().
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    lib: {
      entry: source('index.ts'),
      name: 'conciergeInbox',
      formats: ['iife'],
      fileName: () => 'concierge-inbox.js',
    },
    reportCompressedSize: false,
  },
})
