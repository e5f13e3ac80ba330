import { fileURLToPath } from 'node:url'
import vueI18n from '@intlify/unplugin-vue-i18n/vite'
import tailwind from '@tailwindcss/vite'
import vue from '@vitejs/plugin-vue'
import icons from 'unplugin-icons/vite'
import { defineConfig } from 'vite'

/** The service that `npm run panel` talks to. */
const SERVICE = process.env.APP_URL ?? 'http://127.0.0.1:3333'
const PROXIED = ['/api', '/panel/login', '/panel/callback', '/panel/logout']

export default defineConfig({
  base: '/panel/',
  resolve: { alias: { '@': fileURLToPath(new URL('src', import.meta.url)) } },
  define: { __VUE_OPTIONS_API__: 'false' },
  plugins: [
    vue(),
    tailwind(),
    icons({ compiler: 'vue3' }),
    // Messages are compiled here, because the policy of the pages allows no `new Function`.
    vueI18n({
      include: fileURLToPath(new URL('src/locales/*/*.json', import.meta.url)),
      strictMessage: true,
      dropMessageCompiler: true,
      fullInstall: false,
    }),
  ],
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The policy of the pages allows no `data:` scripts or fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file rather than thirty, each of them a request before the first paint.
            { name: 'start', tags: ['$initial'] },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    // The service accepts changes from its own origin only.
    proxy: Object.fromEntries(
      PROXIED.map((path) => [
        path,
        { target: SERVICE, headers: { origin: new URL(SERVICE).origin } },
      ])
    ),
  },
})
