import { fileURLToPath } from 'node:url'
import vueI18n from '@intlify/unplugin-vue-i18n/vite'
import tailwind from '@tailwindcss/vite'
import vue from '@vitejs/plugin-vue'
import icons from 'unplugin-icons/vite'
import { defineConfig } from 'vite'

/** The service that `npm run panel` talks to. */
const SERVICE = process.env.APP_URL ?? 'http://127.0.0.1:3333'
const PROXIED = ['/api', '/panel/login', '/panel/callback', '/panel/logout']

/** Small parts of most pages. None of them imports a library that the start page does not use. */
const COMMON = [
  /src\/api\/(?:commands|paged)\./,
  /src\/frame\/paths\./,
  /src\/queries\/use_(?:change|deletion)\./,
  /src\/ui\/(?:Badge|BarChart|Card|CopyButton|DataTable|EmptyState|Facts?|Page|Pager|RecordPage)\./,
  /src\/ui\/(?:RowActions|SearchBox|Select|Tabs|Time|exact_time|relative_time|use_query_param)\./,
  /~icons\/lucide\/(?:check|circle-check|circle-x|copy|pencil|plus|search|trash-2|triangle-alert)\b/,
]
const isCommon = (id: string) => COMMON.some((pattern) => pattern.test(id))

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
      // On a slow machine, it would print them on each build.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // One file rather than thirty, each of them a request before the first paint.
            { name: 'start', tags: ['$initial'], priority: 1 },
            // What most pages use would be a dozen small files more.
            { name: 'common', test: isCommon },
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
