import { indexEntities } from '@adonisjs/core'
import { defineConfig } from '@adonisjs/core/app'

/** Barrels follow the sections. The globs match absolute paths, so they begin with `**`. */
const sections = { source: 'app', importAlias: '#app' }

/** Not in the build: the compiler follows only imports with a literal name, unlike this one. */
const DEVELOPMENT_COMMANDS = '#development/commands/main'
const isCheckout = import.meta.filename.endsWith('.ts')

export default defineConfig({
  commands: [
    () => import('@adonisjs/core/commands'),
    () => import('#core/database/migration_commands'),
    ...(isCheckout ? [() => import(DEVELOPMENT_COMMANDS)] : []),
  ],

  providers: [
    () => import('@adonisjs/core/providers/app_provider'),
    { file: () => import('@adonisjs/core/providers/repl_provider'), environment: ['repl'] },
    () => import('@adonisjs/core/providers/vinejs_provider'),
    () => import('@adonisjs/lucid/database_provider'),
    () => import('@adonisjs/limiter/limiter_provider'),
    () => import('#providers/identity_provider_provider'),
    () => import('#providers/checks_provider'),
    { file: () => import('#providers/operations_provider'), environment: ['web'] },
    { file: () => import('#providers/bounces_provider'), environment: ['web'] },
    {
      file: () => import('#providers/service_provider'),
      environment: ['web', 'test'],
    },
  ],

  preloads: [
    () => import('#start/validation'),
    () => import('#start/routes'),
    () => import('#start/kernel'),
    () => import('#start/events'),
    { file: () => import('#start/background'), environment: ['web', 'test'] },
    { file: () => import('#start/metrics'), environment: ['web', 'test'] },
    { file: () => import('#start/origins'), environment: ['web', 'test'] },
  ],

  tests: {
    suites: [
      { files: ['tests/unit/**/*.spec.ts'], name: 'unit', timeout: 20_000 },
      { files: ['tests/functional/**/*.spec.ts'], name: 'functional', timeout: 60_000 },
      { files: ['tests/security/**/*.spec.ts'], name: 'security', timeout: 60_000 },
      { files: ['tests/contract/**/*.spec.ts'], name: 'contract', timeout: 60_000 },
      // Playwright waits for 30 seconds at most, each time.
      { files: ['tests/browser/**/*.spec.ts'], name: 'browser', timeout: 120_000 },
    ],
    forceExit: true,
  },

  metaFiles: [
    { pattern: 'docs/reference/openapi.json', reloadServer: false },
    { pattern: 'resources/api_reference/scalar.js*', reloadServer: false },
  ],

  hooks: {
    init: [
      indexEntities({
        controllers: { ...sections, glob: ['**/controllers/**/*_controller.ts'] },
        events: { ...sections, glob: ['**/events/*.ts'] },
        listeners: { ...sections, glob: ['**/listeners/*.ts'] },
        transformers: { enabled: false },
      }),
    ],
  },
})
